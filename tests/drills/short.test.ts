import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { onMillion } from "./bulk/bulk.ts";
import {
  exhaustConnections,
  freezePostgres,
  killPostgres,
  type LimitedPostgres,
  startLimitedPostgres,
  stopPostgres,
} from "./faults/postgres.ts";
import { killServers } from "./faults/servers.ts";
import { failOver } from "./faults/standby.ts";
import { fuzzing } from "./fuzz/fuzz.ts";
import { runControl, runOnce } from "./harness/run-drill.ts";
import { type LoadDrill, underLoad } from "./harness/service.ts";
import { until } from "./harness/until.ts";
import { killWorkers } from "./mail/mail.ts";
import { killReminders } from "./mail/reminders.ts";

/**
 * Three minutes of drills for CI. `npm run drill` lists the full drills, which also run all controls and check speed.
 * Here, speed isn't checked, because a busy machine would fail.
 */
const restartServers: LoadDrill<unknown>["scenario"] = async ({ servers, replace, ledger, check }) => {
  await until("a second without a failure", async () => {
    ledger.clear();
    await pause(1000);
    return ledger.count(201) > 0 && !ledger.others(201);
  });
  for (const index of servers.keys()) await replace(index);
  check(!ledger.others(201), `a sign-up failed: ${ledger.others(201)}`);
};

/** One service goes through all of these faults, and is audited at the end. */
const oneAfterAnother = underLoad<LimitedPostgres>({
  breaks: "PostgreSQL and the servers, one fault after another",
  shows: "every acknowledged sign-up is there, once",
  postgres: startLimitedPostgres,
  isBalanced: true,
  clients: { retries: true },
  async scenario(service) {
    const restart = { breaks: "servers restarted", scenario: restartServers, times: { short: 1 } };
    for (const { breaks, scenario, times } of [
      ...[killPostgres, killServers, stopPostgres, freezePostgres, exhaustConnections],
      restart,
    ]) {
      const check = (condition: boolean, failure: string) => service.check(condition, `${breaks}: ${failure}`);
      await scenario({ ...service, check, checkSpeed: () => {} }, times.short);
    }
  },
  controls: [],
});

test.each([oneAfterAnother, onMillion, failOver, killWorkers, killReminders, fuzzing])(
  "$breaks: $shows",
  { timeout: 300_000 },
  async (drill) => {
    const { acknowledged, lost, duplicated, failures } = await runOnce(drill.run, "short");
    // Joins the failures, because CI prints only the first line of a failed expectation.
    expect(failures.join("; ")).toBe("");
    expect({ lost, duplicated }).toEqual({ lost: 0, duplicated: 0 });
    expect(acknowledged).toBeGreaterThan(10);
  },
);

test.each([...killPostgres.controls, ...killServers.controls.slice(1, 2), ...onMillion.controls.slice(0, 1)])(
  "negative control: without $without, the drill finds something $finds",
  { timeout: 120_000 },
  async (control) => {
    expect(await runControl(control)).toMatchObject({ hasFailed: true });
  },
);
