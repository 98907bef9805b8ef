import type { Postgres } from "#tools/dev/scratch-postgres.ts";
import type { Audit } from "./audit.ts";
import { type Service, type ServiceOptions, underLoad } from "./service.ts";

export interface Outcome extends Audit {
  /** What else the drill had to show, and didn't. */
  broken: string[];
}

export interface Drill {
  name: string;
  run: () => Promise<Outcome>;
  /** The same with what it relies on taken away. Answers whether that failed, as it must, or the drill proves nothing. */
  control: () => Promise<boolean>;
}

export type Check = (isTrue: boolean, what: string) => void;
export type Act<Store extends Postgres> = (service: Service<Store>, check: Check) => Promise<void>;

/** How soon sign-ups are taken again once what was broken is mended. */
export const MAX_RECOVERY_MS = 10_000;
/** Nobody waits longer than this, whatever is broken. */
export const MAX_WAIT_MS = 2000;

export async function perform<Store extends Postgres>(
  options: ServiceOptions<Store>,
  act: Act<Store>,
): Promise<Outcome> {
  const broken: string[] = [];
  const { ledger, ...found } = await underLoad(options, (service) =>
    act(service, (isTrue, what) => isTrue || broken.push(what)),
  );
  return { ...found, broken };
}

export function hasPassed({ acknowledged, lost, duplicated, broken }: Outcome): boolean {
  return acknowledged > 0 && lost === 0 && duplicated === 0 && broken.length === 0;
}

/** A drill whose control takes "sent" for "acknowledged": whoever was refused must then be found missing. */
export function drill<Store extends Postgres>(name: string, options: ServiceOptions<Store>, act: Act<Store>): Drill {
  return {
    name,
    run: () => perform(options, act),
    control: async () => (await perform({ ...options, believe: "sent" }, act)).lost > 0,
  };
}
