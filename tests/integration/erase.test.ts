import { join as joinPath } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { verifyTotals } from "#core/people/totals.ts";
import { erase } from "#core/retention/erase.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator, waitlist, waitlistJson, waitlistWith } from "#tests/support/cli.ts";
import { aSignUp, keyOf } from "#tests/support/sign-ups.ts";

const operator = useOperator();

test("PostgreSQL's statistics keep no names of erased people; names of those who left go with the next purge", async () => {
  for (const firstName of ["Zebulon", "Quirin", ..."abcdefgh"])
    await operator.join(aSignUp({ firstName, email: `${firstName}@example.com` }), null);
  const found = "select from pg_stats where schemaname = 'public' and pg_stats::text ilike $1";
  const statisticsWith = async (name: string) => (await operator.db.pool.query(found, [`%${name}%`])).rowCount;
  await sql`analyze`.execute(operator.db);
  expect(await statisticsWith("zebulon")).toBeGreaterThan(0);
  await waitlist("erase", "zebulon@example.com", "--yes");
  expect(await statisticsWith("zebulon")).toBe(0);
  await erase(operator.db, null, keyOf("quirin@example.com"), createKeys(SECRET));
  expect(await statisticsWith("quirin")).toBeGreaterThan(0);
  await waitlist("purge", "--yes");
  expect(await statisticsWith("quirin")).toBe(0);
});

test("`erasures apply` erases people whom a restored backup brought back, but not anyone who joined again", async () => {
  const [ada, bob] = [aSignUp({ company: "Acme" }), aSignUp({ company: "Acme" })];
  for (const person of [ada, bob]) await operator.join(person, null);
  const restored = await operator.db.selectFrom("sign_ups").select(["email_key", "joined_at"]).execute();
  for (const { email } of [ada, bob]) await erase(operator.db, OPERATOR, keyOf(email), createKeys(SECRET));
  const file = joinPath(operator.folder, "erasures.jsonl");
  expect((await waitlist("erasures", "save", file)).stdout).toBe("Saved 2 erasures.\n");
  expect(await waitlistWith({ SECRET: `${SECRET}!` }, "erasures", "apply", file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("different SECRET"),
  });

  // Simulates a restored backup with only an earlier erasure of Ada; then Bob joins again.
  await sql`delete from erasures where erased_at = (select max(erased_at) from erasures)`.execute(operator.db);
  await sql`update erasures set erased_at = '2020-01-01'`.execute(operator.db);
  for (const person of [ada, bob]) await operator.join(person, null);
  await sql`update sign_ups set joined_at = ${restored[0]?.joined_at} where email_key = ${ada.email}`.execute(
    operator.db,
  );

  // Saving before applying must not lose an erasure.
  expect((await waitlist("erasures", "save", file)).stdout).toBe("Saved 2 erasures.\n");
  expect(await waitlistJson("erasures", "apply", file)).toEqual({ erased: 1 });
  const remaining = await operator.db.selectFrom("sign_ups").select("email").execute();
  expect(remaining).toEqual([{ email: bob.email }]);
  expect(await verifyTotals(operator.db)).toMatchObject({ exact: true });
  expect(await operator.db.selectFrom("erasures").selectAll().execute()).toHaveLength(2);
});
