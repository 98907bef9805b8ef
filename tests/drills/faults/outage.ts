import { setTimeout as pause } from "node:timers/promises";
import { STATS_PATH } from "#contract/paths.ts";
import { MAX_RECOVERY_MS } from "#tests/drills/harness/drill.ts";
import { send } from "#tests/drills/harness/http.ts";
import { checkReadsDuring } from "#tests/drills/harness/reads.ts";
import type { LoadDrill, Service } from "#tests/drills/harness/service.ts";
import { quantile } from "#tests/support/quantile.ts";

/** Runs a second of normal load, then causes the fault while reading pages. The service must then recover unaided. */
export function outage<Store>(fault: LoadDrill<Store>["scenario"]): LoadDrill<Store>["scenario"] {
  return async (service, times) => {
    const { ledger, origin, servers, check } = service;
    await ledger.untilAcknowledged();
    await pause(1000);
    // Caches the stats in each server, so that it can serve them during the fault.
    for (const server of servers) await send(server.origin + STATS_PATH);
    ledger.clear();
    await checkReadsDuring(origin, service, () => fault(service, times));
    check(ledger.count(503) > 0, "no sign-up got a 503, so the fault had no effect");
    check(!ledger.others(201, 503), `a sign-up got neither 201 nor 503, but ${ledger.others(201, 503)}`);
    await checkRecovery(service);
  };
}

export async function checkRecovery({ ledger, checkSpeed }: Pick<Service<unknown>, "ledger" | "checkSpeed">) {
  const ms = await ledger.untilAcknowledged();
  checkSpeed(ms < MAX_RECOVERY_MS, `no sign-up was acknowledged for ${Math.round(ms)} ms`);
}

/** Checks the maximum latency, or the quantile `q`, such as 0.99 for p99. */
export function checkLatency({ ledger, checkSpeed }: Service<unknown>, maxMs: number, q = 1): void {
  const latency = Math.round(quantile(ledger.latencies(), q));
  checkSpeed(latency < maxMs, `sign-up latency at quantile ${q} was ${latency} ms, the limit is ${maxMs} ms`);
}
