import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openWaitlist } from "#core/sign-ups/join.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { GROUPS } from "./groups.ts";
import { audit } from "./harness/audit.ts";
import type { Context } from "./harness/drill.ts";
import { hasPassed, runControl, runOnce } from "./harness/run-drill.ts";

const context = useTestDatabase();

test("the audit of a drill finds a sign-up that is missing, one that isn't counted and one that is listed twice", async () => {
  const { db, url } = context;
  const { join } = openWaitlist(db, { maxQueueLength: 1, totals: () => readTotals(db.pool) });
  await join(aSignUp({ email: "ada@example.com" }), null);

  const both = new Set(["ada@example.com", "grace@example.com"]);
  expect(await audit(url, both)).toEqual({ acknowledged: 2, lost: 1, duplicated: 0 });

  await join(aSignUp({ email: "grace@example.com" }), null);
  expect(await audit(url, both)).toEqual({ acknowledged: 2, lost: 0, duplicated: 0 });

  await sql`update totals set users = users - 1 where slot = (select min(slot) from totals)`.execute(db);
  expect(await audit(url, both)).toEqual({ acknowledged: 2, lost: 0, duplicated: 1 });

  // Listed twice and counted twice.
  await sql`alter table sign_ups drop constraint sign_ups_email_key_key`.execute(db);
  await sql`insert into sign_ups (email_key, email, first_name, last_name, newsletter)
    select email_key, email, first_name, last_name, newsletter from sign_ups limit 1`.execute(db);
  await sql`update totals set users = users + 2 where slot = (select min(slot) from totals)`.execute(db);
  expect(await audit(url, both)).toEqual({ acknowledged: 2, lost: 0, duplicated: 1 });
});

test("a drill passes only without failures, a control fails only for its own reason, and both stop what they started", async () => {
  const stopped: string[] = [];
  const run = async ({ keep, check }: Context) => {
    await keep({ stop: () => stopped.push("first") });
    await keep({ stop: () => stopped.push("second") });
    check(false, "a sign-up failed");
    return { acknowledged: 2, lost: 0, duplicated: 0 };
  };
  const ran = await runOnce(run, "short");
  expect([hasPassed(ran), hasPassed({ ...ran, failures: [] })]).toEqual([false, true]);
  expect(stopped).toEqual(["second", "first"]);
  for (const [finds, hasFailed] of [
    [/^a sign-up/, true],
    [/^something else/, false],
    ["lost", false],
  ] as const) {
    expect(await runControl({ without: "a safeguard", finds, run })).toMatchObject({ hasFailed });
  }
  const thrown = await runOnce(() => Promise.reject(new Error("thrown")), "short");
  expect(thrown.failures.join()).toContain("thrown");
});

test("what a control changes in the source is still there, once", { timeout: 60_000 }, async () => {
  const drills = (await Promise.all(Object.values(GROUPS).map((load) => load()))).flat();
  const changes = drills.flatMap(({ controls }) => controls).flatMap((control) => control.changes ?? []);
  expect(changes.length).toBeGreaterThan(20);
  const lost = changes.filter(([file, find]) => readFileSync(file, "utf8").split(find).length !== 2);
  expect(lost).toEqual([]);
});
