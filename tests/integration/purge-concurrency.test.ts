import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteSignUps } from "#core/retention/delete-sign-ups.ts";
import { purge as purgeList } from "#core/retention/purge.ts";
import { changeCounts } from "#core/sign-ups/company-counts.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator, waitlist } from "#tests/support/cli.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

const ALWAYS = "2020-01-01";

async function purge(settings: Record<string, string>, ...args: string[]) {
  const env = { DATABASE_URL: operator.url, SECRET, ...settings };
  const { stdout } = await runNode("cli/waitlist.ts", env, ["purge", "--json", ...args]);
  return JSON.parse(stdout);
}

async function addPerson(name: string, changes: string): Promise<void> {
  const email = `${name}@example.com`;
  await operator.join(aSignUp({ email, company: "Acme", newsletter: true }), null);
  await operator.db.pool.query(`update sign_ups set ${changes} where email = $1`, [email]);
}

test("keeps totals exact and every new sign-up while people join", async () => {
  const company = (turn: number) => (turn % 3 ? `Company ${turn % 40}` : "");
  const old = Array.from({ length: 1800 }, (_, turn) =>
    aSignUp({ company: company(turn), newsletter: turn % 2 === 0 }),
  );
  await Promise.all(old.map((person) => operator.join(person, null)));
  await sql`update sign_ups set joined_at = '2020-06-01'`.execute(operator.db);
  let isDone = false;
  let joined = 0;
  const joining = Array.from({ length: 16 }, async (_, worker) => {
    for (let turn = worker; !isDone; turn += 16) {
      // Every other one is an address that the purge is deleting.
      const person = turn % 2 ? aSignUp({ company: company(turn) }) : (old[turn % old.length] ?? aSignUp());
      if ((await operator.join(person, null)).kind === "joined") joined += 1;
    }
  });
  const [first, second] = await Promise.all([
    purge({ LAUNCH_DATE: ALWAYS }, "--yes"),
    purge({ LAUNCH_DATE: ALWAYS }, "--yes"),
  ]).finally(() => {
    isDone = true;
  });
  await Promise.all(joining);
  await purge({ LAUNCH_DATE: ALWAYS }, "--yes");

  expect(first.deleted.signUps + second.deleted.signUps).toBeGreaterThan(0);
  expect(await verifyTotals(operator.db)).toMatchObject({ exact: true, counted: { totalUsers: joined } });
  expect((await waitlist("verify")).code).toBe(0);
});

test("counts a company out when its last two people are deleted concurrently", async () => {
  for (const name of ["ada", "bob"]) await addPerson(name, "joined_at = '2020-06-01'");
  const [ada] = await operator.db.selectFrom("sign_ups").select("id").orderBy("id").execute();
  const rules = { launchDate: ALWAYS, unconfirmedSince: undefined, backupDays: undefined };
  const purging = await changeCounts(operator.db, async (transaction) => {
    await deleteSignUps(transaction, [ada?.id ?? ""]);
    const done = purgeList(operator.db, OPERATOR, rules, new Date());
    await untilBlocked(operator.db);
    return { done };
  });
  expect(await purging.done).toMatchObject({ signUps: 1 });
  expect(await verifyTotals(operator.db)).toMatchObject({
    exact: true,
    counted: { totalUsers: 0, companiesInterested: 0 },
  });
});
