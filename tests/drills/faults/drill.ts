import type { Postgres } from "#tools/dev/scratch-postgres.ts";
import type { Audit } from "./audit.ts";
import { runUnderLoad, type Service, type ServiceOptions } from "./service.ts";

export interface Outcome extends Audit {
  /** What else went wrong, one message per failed check. */
  failures: string[];
}

export interface Drill {
  name: string;
  run: () => Promise<Outcome>;
  /** The negative control: the same drill without the safeguard. Resolves to true if it failed, as it must. */
  control: () => Promise<boolean>;
}

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

/** A drill whose control audits all sign-ups that were sent: those that were rejected must then show up as lost. */
export function drill<Store extends Postgres>(
  name: string,
  options: ServiceOptions<Store>,
  scenario: Scenario<Store>,
): Drill {
  return {
    name,
    run: () => runScenario(options, scenario),
    control: async () => (await runScenario({ ...options, auditAgainst: "sent" }, scenario)).lost > 0,
  };
}
