import { join as joinPath } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { onePerson, retryTransaction } from "#core/database/transaction.ts";
import { CONFIRMATION, REMINDER } from "#core/mail/recipients.ts";
import { verifyTotals } from "#core/people/totals.ts";
import { deleteSignUps } from "#core/retention/delete-sign-ups.ts";
import { purge as purgeList } from "#core/retention/purge.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator, waitlist, waitlistWith } from "#tests/support/cli.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

const NOTHING = { signUps: null, unconfirmed: null, setAside: 0, quarantined: 0, erasures: null };
const ALWAYS = "2020-01-01";
const LONG_AGO = "joined_at = now() - interval '91 days'";
const purgeOld = () => purgeList(operator.db, OPERATOR, { LAUNCH_DATE: ALWAYS }, new Date());

async function purge(settings: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await waitlistWith({ SECRET, ...settings }, "purge", "--json", ...args);
  return code === 0 ? JSON.parse(stdout) : { code, stderr };
}

async function addPerson(name: string, changes = "", company = "Acme"): Promise<void> {
  const email = `${name}@example.com`;
  await operator.join(aSignUp({ email, company, newsletter: true }), null);
  if (changes) await operator.db.pool.query(`update sign_ups set ${changes} where email = $1`, [email]);
}

/** Adds someone whose first confirmation was accepted this long ago, and whose last one has this state. */
async function addMailed(name: string, ago: string, changes: string, state = "sent"): Promise<void> {
  await addPerson(name, changes);
  await operator.db.pool.query(
    `insert into deliveries (message_id, sign_up_id, state, tried_at, sent_at)
     select ${CONFIRMATION}, id, $3, now() - $2::interval, now() - $2::interval from sign_ups where email = $1`,
    [`${name}@example.com`, ago, state],
  );
}

/** Adds someone who was quarantined this long ago. */
async function catchOne(age: string): Promise<void> {
  const { email } = aSignUp();
  await operator.join(aSignUp({ email, website: "x" }), null);
  await sql`update quarantine set caught_at = now() - ${age}::interval where email = ${email}`.execute(operator.db);
}

async function namesLeft(): Promise<string[]> {
  const people = await operator.db.selectFrom("sign_ups").select("email").orderBy("id").execute();
  return people.map(({ email }) => email.replace("@example.com", "")).filter((name) => !name.startsWith("other"));
}

test.each([
  ["deletes everyone who joined within a year after launch, with their consents", 0, 1, ["after"]],
  ["deletes nobody before that year is over", 1, 0, ["before", "after"]],
])("%s", async (_name, daysLeft, signUps, left) => {
  const midnight = "date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'";
  await addPerson("before", `joined_at = ${midnight} - interval '1 microsecond', confirmed_at = now()`);
  await addPerson("after", `joined_at = ${midnight}`);
  const { rows } = await sql<{ date: string }>`
    select ((now() at time zone 'UTC')::date + ${daysLeft}::integer - interval '1 year')::date::text as date`.execute(
    operator.db,
  );
  expect(await purge({ LAUNCH_DATE: rows[0]?.date ?? "" }, "--yes")).toEqual({ deleted: { ...NOTHING, signUps } });
  expect(await namesLeft()).toEqual(left);
  expect((await waitlist("verify")).code).toBe(0);
});

test("deletes people who didn't confirm within 90 days of an accepted mail, and no one else", async () => {
  const told = "joined_at = '2026-01-01T00:00Z'";
  const ago = "90 days 1 minute";
  await addMailed("unanswered", ago, told);
  await addMailed("not-told", ago, "joined_at = '2025-12-31T23:59:59Z'");
  await addMailed("mailed-later", "89 days 23 hours 59 minutes", told);
  await addMailed("confirmed", ago, `${told}, confirmed_at = now()`);
  await addMailed("suppressed", ago, `${told}, suppressed_at = now()`);
  await addMailed("reminded", ago, told);
  await addMailed("reminded-long-ago", ago, told);
  await sql`
    insert into deliveries (message_id, sign_up_id, state, tried_at)
    select ${REMINDER}, id, 'sent', case email when 'reminded@example.com' then now() - interval '89 days' else joined_at end
    from sign_ups where email like 'reminded%'`.execute(operator.db);
  await addMailed("due-another", ago, `${told}, mail_network = 0`);
  await addMailed("second-failed", ago, told, "failed");
  await addMailed("second-skipped", ago, told, "skipped");
  await addMailed("second-pending", ago, told, "pending");
  await addPerson("never-accepted", told);
  await sql`
    insert into deliveries (message_id, sign_up_id, state, tried_at)
    select ${CONFIRMATION}, max(id), 'failed', now() - ${ago}::interval from sign_ups`.execute(operator.db);
  await addPerson("never-mailed", told);
  await addMailed("backdated", ago, "joined_at = now() - interval '89 days'");
  const kept = ["not-told", "mailed-later", "confirmed", "suppressed", "reminded", "due-another", "second-pending"];

  const settings = { PURGE_UNCONFIRMED_SINCE: "2026-01-01" };
  expect(await purge(settings, "--yes")).toEqual({ deleted: { ...NOTHING, unconfirmed: 4 } });
  expect(await namesLeft()).toEqual([...kept, "never-accepted", "never-mailed", "backdated"]);
  expect((await waitlist("verify")).code).toBe(0);
});

test("deletes quarantine entries after 30 days", async () => {
  for (const age of ["30 days 1 minute", "29 days 23 hours 59 minutes"]) await catchOne(age);
  const anHourAgo = new Date(Date.now() - 3_600_000);
  expect(await purgeList(operator.db, OPERATOR, {}, anHourAgo)).toEqual(NOTHING);
  expect(await purge({})).toEqual({ deleted: { ...NOTHING, quarantined: 1 } });
  expect(await operator.db.selectFrom("quarantine").select("id").execute()).toHaveLength(1);
});

test("forgets an erased address once no backup has it, in the database and in the saved file", async () => {
  await sql`
    insert into erasures values
      (sha256('older'), now() - interval '14 days 1 minute'), (sha256('newer'), now() - interval '13 days 23 hours')`.execute(
    operator.db,
  );
  const file = joinPath(operator.folder, "erasures.jsonl");
  expect((await waitlist("erasures", "save", file)).stdout).toBe("Saved 2 erasures.\n");
  expect(await purge({ BACKUP_DAYS: "14" })).toEqual({ deleted: { ...NOTHING, erasures: 1 } });
  expect(await operator.db.selectFrom("erasures").selectAll().execute()).toHaveLength(1);
  expect((await waitlistWith({ SECRET, BACKUP_DAYS: "14" }, "erasures", "save", file)).stdout).toBe(
    "Saved 1 erasure.\n",
  );
});

test("remembers an address that is erased again during the purge", async () => {
  await sql`insert into erasures values (sha256('x'), '2020-01-01')`.execute(operator.db);
  const { purging } = await inTransaction(operator.db.pool, async (client) => {
    await client.query("update erasures set erased_at = now()");
    const purging = purgeList(operator.db, OPERATOR, { BACKUP_DAYS: 14 }, new Date());
    await untilBlocked(operator.db);
    return { purging };
  });
  expect(await purging).toEqual({ ...NOTHING, erasures: 0 });
  expect(await operator.db.selectFrom("erasures").selectAll().execute()).toHaveLength(1);
});

test("deletes nothing that isn't configured, and a dry run counts each kind, and each person once", async () => {
  await addMailed("both", "91 days", "joined_at = '2020-06-01'");
  await addMailed("unconfirmed", "91 days", LONG_AGO);
  await sql`insert into erasures values (sha256('x'), '2020-01-01')`.execute(operator.db);
  const { stdout } = await waitlist("purge");
  for (const setting of ["LAUNCH_DATE", "PURGE_UNCONFIRMED_SINCE", "BACKUP_DAYS"])
    expect(stdout).toContain(`not purged: ${setting} isn't set`);
  await catchOne("1 year");
  const settings = { LAUNCH_DATE: ALWAYS, PURGE_UNCONFIRMED_SINCE: ALWAYS, BACKUP_DAYS: "14" };
  const counts = { signUps: 1, unconfirmed: 1, setAside: 0, quarantined: 1, erasures: 1 };
  expect(await purge(settings, "--dry-run")).toEqual({ wouldDelete: counts });
  expect(await namesLeft()).toEqual(["both", "unconfirmed"]);
  expect(await purge(settings, "--yes")).toEqual({ deleted: counts });
  expect(await namesLeft()).toEqual([]);
});

test("refuses to delete more than 5% of the list without --yes, and then deletes nothing", async () => {
  const settings = { PURGE_UNCONFIRMED_SINCE: ALWAYS };
  await addMailed("unanswered", "91 days", LONG_AGO);
  await catchOne("1 year");
  for (let other = 0; other < 18; other += 1) await addPerson(`other${other}`, "", "");
  expect(await purge(settings)).toEqual({ code: 2, stderr: expect.stringContaining("1 of 19 people, more than 5%") });
  expect(await namesLeft()).toEqual(["unanswered"]);
  expect(await operator.db.selectFrom("quarantine").select("id").execute()).toHaveLength(1);

  await addPerson("one-more");
  expect(await purge(settings)).toEqual({ deleted: { ...NOTHING, unconfirmed: 1, quarantined: 1 } });
  expect(await namesLeft()).toEqual(["one-more"]);
});

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
      // Every other sign-up uses an address that the purge is deleting.
      const person = turn % 2 ? aSignUp({ company: company(turn) }) : (old[turn % old.length] ?? aSignUp());
      if ((await operator.join(person, null)).kind === "joined") joined += 1;
    }
  });
  const [first, second] = await Promise.all([purgeOld(), purgeOld()]).finally(() => {
    isDone = true;
  });
  await Promise.all(joining);
  await purgeOld();

  expect((first.signUps ?? 0) + (second.signUps ?? 0)).toBeGreaterThan(0);
  expect(await verifyTotals(operator.db)).toMatchObject({ exact: true, counted: { totalUsers: joined } });
  expect((await waitlist("verify")).code).toBe(0);
});

test("counts a company out when its last two people are deleted concurrently", async () => {
  await addPerson("ada", "joined_at = now()");
  await addPerson("bob", "joined_at = '2020-06-01'");
  const [ada] = await operator.db.selectFrom("sign_ups").select("id").orderBy("id").execute();
  const purging = await retryTransaction(operator.db, async (transaction) => {
    await deleteSignUps(onePerson(transaction), [ada?.id ?? ""]);
    const done = purgeOld();
    await untilBlocked(operator.db);
    return { done };
  });
  expect(await purging.done).toMatchObject({ signUps: 1 });
  expect(await verifyTotals(operator.db)).toMatchObject({ exact: true, counted: { companiesInterested: 0 } });
});
