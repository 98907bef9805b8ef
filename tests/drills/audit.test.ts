import { sql } from "kysely";
import { expect, test } from "vitest";
import { openWaitlist } from "#core/sign-ups/join.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { audit } from "#tests/drills/faults/audit.ts";
import { hasPassed } from "#tests/drills/faults/drill.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();

test("the audit of a drill finds a sign-up that is missing, one that isn't counted and one that is listed twice", async () => {
  const { db } = context;
  const { join } = openWaitlist(db, { maxQueueLength: 1, totals: () => readTotals(db.pool) });
  await join(aSignUp({ email: "ada@example.com" }), null);

  const both = new Set(["ada@example.com", "grace@example.com"]);
  expect(await audit(db, both)).toEqual({ acknowledged: 2, lost: 1, duplicated: 0 });

  await join(aSignUp({ email: "grace@example.com" }), null);
  expect(await audit(db, both)).toEqual({ acknowledged: 2, lost: 0, duplicated: 0 });

  await sql`update totals set users = users - 1 where slot = (select min(slot) from totals)`.execute(db);
  expect(await audit(db, both)).toEqual({ acknowledged: 2, lost: 0, duplicated: 1 });

  // Listed twice and counted twice.
  await sql`alter table sign_ups drop constraint sign_ups_email_key_key`.execute(db);
  await sql`insert into sign_ups (email_key, email, first_name, last_name, newsletter)
    select email_key, email, first_name, last_name, newsletter from sign_ups limit 1`.execute(db);
  await sql`update totals set users = users + 2 where slot = (select min(slot) from totals)`.execute(db);
  expect(await audit(db, both)).toEqual({ acknowledged: 2, lost: 0, duplicated: 1 });
});

test("a drill in which a sign-up failed hasn't passed, even if none was lost", () => {
  const audited = { acknowledged: 2, lost: 0, duplicated: 0 };
  expect(hasPassed({ ...audited, failures: [] })).toBe(true);
  expect(hasPassed({ ...audited, failures: ["a sign-up, 3 s in"] })).toBe(false);
});
