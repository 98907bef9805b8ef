import { setTimeout as pause } from "node:timers/promises";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { type Change, withChanges } from "#tests/drills/harness/change-source.ts";
import type { Context, Drill } from "#tests/drills/harness/drill.ts";
import { onPostgres, runUnderLoad } from "#tests/drills/harness/service.ts";
import { quantile } from "#tests/support/quantile.ts";
import { runNode } from "#tests/support/run-node.ts";
import { BUSY_COMPANY, fillList, type ListSize } from "./list.ts";

/** Sign-ups a second while operators work. Each client sends ten a second. */
const RATES = [100, 1000];
const PER_CLIENT = 10;
const MAX_P99_MS = 500;

/** The actions in order, and how many people each changes. */
type Actions = [action: string, people: number][];

const ONE_TRANSACTION: Change[] = [
  ["core/activity/change-many.ts", "FIRST_CHUNK_SIZE = 100;", "FIRST_CHUNK_SIZE = 1_000_000;"],
  ["core/activity/change-many.ts", "MAX_CHUNK_SIZE = 1000;", "MAX_CHUNK_SIZE = 1_000_000;"],
  ["core/activity/change-many.ts", "MAX_STATEMENT_MS = 200;", "MAX_STATEMENT_MS = 0;"],
  ["core/activity/people-pages.ts", "PAGE_SIZE = 1000;", "PAGE_SIZE = 1_000_000;"],
];

/** Each action at each rate. Every sign-up must be accepted, and quickly. */
function actUnderLoad(context: Context, { list, actions }: Bulk, rates: number[], changes?: Change[]) {
  const clients = { count: (rates[0] ?? 0) / PER_CLIENT, perSecond: rates[0] ?? 0, company: BUSY_COMPANY };
  const prepare = async (url: string) => {
    await migrateDatabase(url);
    await fillList(url, list);
  };
  return runUnderLoad(context, { ...onPostgres, prepare, wrappers: [[]], clients }, async (service) => {
    const { postgres, ledger, check, checkSpeed, figures, addClients } = service;
    for (const [nth, rate] of rates.entries()) {
      addClients((rate - (rates[nth - 1] ?? rates[0] ?? 0)) / PER_CLIENT);
      await pause(1000);
      for (const [action, people] of actions) {
        ledger.clear();
        const env = withChanges({ DATABASE_URL: postgres.url }, changes);
        const { code, stdout, stderr } = await runNode("tests/drills/bulk/act.ts", env, [action, String(people)]);
        check(code === 0, `${action} failed: ${stderr}`);
        const p99 = Math.round(quantile(ledger.latencies(), 0.99));
        checkSpeed(!ledger.others(201), `${action}: a sign-up failed: ${ledger.others(201)}`);
        // CI's machine is too busy for this, unless a control must show that it notices.
        if (context.size === "full" || changes)
          checkSpeed(p99 <= MAX_P99_MS, `${action}: the p99 of sign-ups was ${p99} ms`);
        figures[`${action} ${people} at ${rate}/s`] =
          `${stdout.trim()} s, ${ledger.entries.length} sign-ups, p99 ${p99} ms`;
      }
    }
  });
}

interface Bulk {
  list: ListSize;
  actions: Actions;
}

const SHORT: Bulk = {
  list: { people: 6000, flood: 3000, quarantined: 2000 },
  actions: [
    ["import", 3000],
    ["release", 2000],
    ["set-aside", 3000],
    ["bring-back", 3000],
    ["invite", 6000],
  ],
};

/** A release keeps companies locked while it writes the rest, the others for a moment at their end. */
const CONTROL: ListSize = { people: 0, flood: 0, quarantined: 40_000 };
const CONTROLS: Actions = [["release", 40_000]];

const bulk = (breaks: string, { list, actions }: Bulk, controls: Actions = []): Drill => ({
  breaks,
  shows: "no sign-up fails or waits long, however many people an operator changes",
  run: (context) =>
    context.size === "short"
      ? actUnderLoad(context, SHORT, RATES.slice(0, 1))
      : actUnderLoad(context, { list, actions }, RATES),
  controls: controls.map(([action, people]) => ({
    without: `chunks in ${action}`,
    finds: new RegExp(`^${action}: `),
    changes: ONE_TRANSACTION,
    run: (context) => actUnderLoad(context, { list: CONTROL, actions: [[action, people]] }, [100], ONE_TRANSACTION),
  })),
});

export const onNewList = bulk("bulk changes on a new list", {
  list: { people: 0, flood: 0, quarantined: 20_000 },
  actions: [
    ["import", 30_000],
    ["release", 10_000],
  ],
});

export const onMillion = bulk(
  "bulk changes on a list of a million",
  {
    list: { people: 950_000, flood: 50_000, quarantined: 20_000 },
    actions: [
      ["import", 30_000],
      ["release", 10_000],
      ["set-aside", 50_000],
      ["bring-back", 50_000],
      ["invite", 100_000],
    ],
  },
  CONTROLS,
);
