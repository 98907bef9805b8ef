import { setTimeout as pause } from "node:timers/promises";
import { quantile } from "#tests/support/quantile.ts";
import type { Postgres } from "#tools/dev/scratch-postgres.ts";
import { checkReadsDuring } from "./check-reads.ts";
import { type Clients, latenciesOf } from "./clients.ts";
import { type Check, MAX_RECOVERY_MS, NOT_RECOVERED, type Scenario } from "./drill.ts";
import { untilAcknowledged } from "./service.ts";

/** A second of normal load, then the fault while the page is read; afterward the service must recover on its own. */
export function outage<Store extends Postgres>(fault: Scenario<Store>): Scenario<Store> {
  return async (service, check) => {
    await untilAcknowledged(service.clients);
    await pause(1000);
    await checkReadsDuring(service.origin, check, () => fault(service, check));
    const { statuses } = service.clients.ledger;
    check(statuses.has(503), "no sign-up got a 503, so the fault had no effect");
    const others = [...statuses.keys()].filter((status) => status !== 201 && status !== 503);
    check(others.length === 0, `a sign-up got neither 201 nor 503, but ${others}`);
    check((await untilAcknowledged(service.clients)) < MAX_RECOVERY_MS, NOT_RECOVERED);
  };
}

/** Checks the maximum latency, or another quantile such as 0.99 for p99. */
export function checkLatency({ ledger }: Clients, check: Check, maxMs: number, q = 1): void {
  const latency = quantile(latenciesOf(ledger), q);
  check(latency < maxMs, `sign-up latency at quantile ${q} was ${Math.round(latency)} ms, the limit is ${maxMs} ms`);
}
