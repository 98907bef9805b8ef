import type { Postgres } from "#tools/dev/scratch-postgres.ts";
import type { Audit } from "./audit.ts";
import { runUnderLoad, type Service, type ServiceOptions } from "./service.ts";

export interface Outcome extends Audit {
  /** What else went wrong, one message per failed check. */
  failures: string[];
}

/** A negative control: the same drill with one safeguard removed, which it must notice. */
export interface Control {
  /** The safeguard that is removed. */
  without: string;
  run: () => Promise<Outcome>;
  /** What it must find: sign-ups that were lost or duplicated, or a failed check. */
  finds: "lost" | "duplicated" | RegExp;
}

export interface Drill {
  name: string;
  run: () => Promise<Outcome>;
  controls: Control[];
}

/** Runs a control. It failed only if it did for its own reason: any other may have nothing to do with the safeguard. */
export async function runControl({ run, finds }: Control): Promise<Outcome & { controlFailed: boolean }> {
  const outcome = await run();
  const isFound = finds instanceof RegExp ? outcome.failures.some((one) => finds.test(one)) : outcome[finds] > 0;
  return { ...outcome, controlFailed: isFound && outcome.acknowledged > 0 };
}

/** Begins the names of the cluster's drills, whose results are in the same file as the others. */
export const HA_PREFIX = "Patroni: ";

/** Records the failure if the condition is false. */
export type Check = (condition: boolean, failure: string) => void;
export type Scenario<Store extends Postgres> = (service: Service<Store>, check: Check) => Promise<void>;

/** How soon sign-ups must be accepted again after the fault is fixed. */
export const MAX_RECOVERY_MS = 10_000;
export const NOT_RECOVERED = `no sign-up was acknowledged for ${MAX_RECOVERY_MS / 1000} s`;
/** The longest that any request may take during a fault. */
export const MAX_LATENCY_MS = 2000;

export async function runScenario<Store extends Postgres>(
  options: ServiceOptions<Store>,
  scenario: Scenario<Store>,
): Promise<Outcome> {
  const failures: string[] = [];
  const { ledger, ...found } = await runUnderLoad(options, (service) =>
    scenario(service, (condition, failure) => condition || failures.push(failure)),
  );
  return { ...found, failures };
}

export function hasPassed({ acknowledged, lost, duplicated, failures }: Outcome): boolean {
  return acknowledged > 0 && lost === 0 && duplicated === 0 && failures.length === 0;
}

interface Removal<Store extends Postgres> extends Omit<Control, "run"> {
  /** How the safeguard is removed: the options that change. */
  by: Partial<ServiceOptions<Store>>;
}

/** A drill whose controls run the same scenario with other options. */
export function drill<Store extends Postgres>(
  name: string,
  options: ServiceOptions<Store>,
  scenario: Scenario<Store>,
  removals: Removal<Store>[],
): Drill {
  return {
    name,
    run: () => runScenario(options, scenario),
    controls: removals.map(({ by, ...removal }) => ({
      ...removal,
      run: () => runScenario({ ...options, ...by }, scenario),
    })),
  };
}
