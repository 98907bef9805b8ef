import { join as joinPath } from "node:path";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { CONFIRMATION } from "#core/messages/recipients.ts";
import { purge as purgeList } from "#core/retention/purge.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

const NOTHING = { signUps: null, unconfirmed: null, quarantined: 0, erasures: null };
const ALWAYS = "2020-01-01";

const run = (settings: Record<string, string>, ...args: string[]) =>
  runNode("cli/waitlist.ts", { DATABASE_URL: operator.url, SECRET, ...settings }, args);

async function purge(settings: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await run(settings, "purge", "--json", ...args);
  return code === 0 ? JSON.parse(stdout) : { code, stderr };
}

async function addPerson(name: string, changes = "", company = "Acme"): Promise<void> {
  const email = `${name}@example.com`;
  await operator.join(aSignUp({ email, company, newsletter: true }), null);
  if (changes) await operator.db.pool.query(`update sign_ups set ${changes} where email = $1`, [email]);
}

/** Whose first confirmation the mail server accepted that long ago. The state is that of the last one. */
async function addMailed(name: string, ago: string, changes: string, state = "sent"): Promise<void> {
  await addPerson(name, changes);
  await operator.db.pool.query(
    `insert into deliveries (message_id, sign_up_id, state, tried_at, sent_at)
     select ${CONFIRMATION}, id, $3, now() - $2::interval, now() - $2::interval from sign_ups where email = $1`,
    [`${name}@example.com`, ago, state],
  );
}

/** Enough other people that a purge stays below 5% of the list. */
async function addOthers(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, other) => addPerson(`other${other}`, "", "")));
}

async function namesLeft(): Promise<string[]> {
  const people = await operator.db.selectFrom("sign_ups").select("email").orderBy("id").execute();
  return people.map(({ email }) => email.replace("@example.com", "")).filter((name) => !name.startsWith("other"));
}

/** A day relative to today, a year ago: the year after it ends at midnight UTC, that many days from today's. */
async function launchDate(days: number): Promise<string> {
  const { rows } = await sql<{ date: string }>`
    select ((now() at time zone 'UTC')::date + ${days}::integer - interval '1 year')::date::text as date`.execute(
    operator.db,
  );
  return rows[0]?.date ?? "";
}

describe("a year after launch", () => {
  const midnight = "date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'";
  beforeEach(async () => {
    await addPerson("before", `joined_at = ${midnight} - interval '1 microsecond', confirmed_at = now()`);
    await addPerson("after", `joined_at = ${midnight}`);
  });

  test("deletes everyone who joined within that year, with their consents", async () => {
    expect(await purge({ LAUNCH_DATE: await launchDate(0) }, "--yes")).toEqual({ deleted: { ...NOTHING, signUps: 1 } });
    expect(await namesLeft()).toEqual(["after"]);
    expect((await waitlist("verify")).code).toBe(0);
  });

  test("deletes nobody before that year is over", async () => {
    expect(await purge({ LAUNCH_DATE: await launchDate(1) }, "--yes")).toEqual({ deleted: { ...NOTHING, signUps: 0 } });
    expect(await namesLeft()).toEqual(["before", "after"]);
  });
});

test("deletes people who didn't confirm within 90 days of an accepted mail, and no one else", async () => {
  const told = "joined_at = '2026-01-01T00:00Z'";
  const ago = "90 days 1 minute";
  await addMailed("unanswered", ago, told);
  await addMailed("not-told", ago, "joined_at = '2025-12-31T23:59:59Z'");
  await addMailed("mailed-later", "89 days 23 hours 59 minutes", told);
  await addMailed("confirmed", ago, `${told}, confirmed_at = now()`);
  await addMailed("rejected", ago, `${told}, rejected_at = now()`);
  await addMailed("due-another", ago, `${told}, mail_due = true`);
  await addMailed("second-failed", ago, told, "failed");
  await addMailed("second-skipped", ago, told, "skipped");
  await addMailed("second-pending", ago, told, "pending");
  await addPerson("never-accepted", told);
  await sql`
    insert into deliveries (message_id, sign_up_id, state, tried_at)
    select ${CONFIRMATION}, max(id), 'failed', now() - ${ago}::interval from sign_ups`.execute(operator.db);
  await addPerson("never-mailed", told);
  const kept = ["not-told", "mailed-later", "confirmed", "rejected", "due-another", "second-pending"];

  const settings = { PURGE_UNCONFIRMED_SINCE: "2026-01-01" };
  expect(await purge(settings, "--yes")).toEqual({ deleted: { ...NOTHING, unconfirmed: 3 } });
  expect(await namesLeft()).toEqual([...kept, "never-accepted", "never-mailed"]);
  expect((await waitlist("verify")).code).toBe(0);
});

test("deletes quarantine entries after 30 days", async () => {
  for (const age of ["30 days 1 minute", "29 days 23 hours 59 minutes"]) {
    const { email } = aSignUp();
    await operator.join(aSignUp({ email, website: "x" }), null);
    await operator.db.pool.query(`update quarantine set caught_at = now() - interval '${age}' where email = $1`, [
      email,
    ]);
  }
  const rules = { launchDate: undefined, unconfirmedSince: undefined, backupDays: undefined };
  const anHourAgo = new Date(Date.now() - 3_600_000);
  expect(await purgeList(operator.db, OPERATOR, rules, anHourAgo)).toEqual(NOTHING);
  expect(await purge({})).toEqual({ deleted: { ...NOTHING, quarantined: 1 } });
  expect(await waitlistJson("quarantine", "list")).toHaveLength(1);
});

test("forgets an erased address once no backup has it, in the database and in the saved file", async () => {
  await sql`
    insert into erasures values
      (sha256('older'), now() - interval '14 days 1 minute'), (sha256('newer'), now() - interval '13 days 23 hours')`.execute(
    operator.db,
  );
  const file = joinPath(operator.folder, "erasures.jsonl");
  expect((await run({}, "erasures", "save", file)).stdout).toBe("Saved 2 erasures.\n");
  expect(await purge({ BACKUP_DAYS: "14" })).toEqual({ deleted: { ...NOTHING, erasures: 1 } });
  expect(await operator.db.selectFrom("erasures").selectAll().execute()).toHaveLength(1);
  expect((await run({ BACKUP_DAYS: "14" }, "erasures", "save", file)).stdout).toBe("Saved 1 erasure.\n");
});

test("says what isn't configured and leaves it alone", async () => {
  await addMailed("ada", "5 years", "joined_at = '2020-01-01'");
  await sql`insert into erasures values (sha256('x'), '2020-01-01')`.execute(operator.db);
  const { code, stdout } = await run({}, "purge");
  expect(code).toBe(0);
  for (const setting of ["LAUNCH_DATE", "PURGE_UNCONFIRMED_SINCE", "BACKUP_DAYS"]) {
    expect(stdout).toContain(`not purged: ${setting} isn't set`);
  }
  expect(await namesLeft()).toEqual(["ada"]);
  expect(await operator.db.selectFrom("erasures").selectAll().execute()).toHaveLength(1);
});

test("a dry run counts each kind, and a person once, without deleting anything", async () => {
  const settings = { LAUNCH_DATE: ALWAYS, PURGE_UNCONFIRMED_SINCE: ALWAYS, BACKUP_DAYS: "14" };
  await addMailed("both", "91 days", "joined_at = '2020-06-01'");
  await addMailed("unconfirmed", "91 days", "newsletter = true");
  await operator.join(aSignUp({ website: "x" }), null);
  await sql`update quarantine set caught_at = '2020-01-01'`.execute(operator.db);
  await sql`insert into erasures values (sha256('x'), '2020-01-01')`.execute(operator.db);
  const counts = { signUps: 1, unconfirmed: 1, quarantined: 1, erasures: 1 };
  expect(await purge(settings, "--dry-run")).toEqual({ wouldDelete: counts });
  expect(await namesLeft()).toEqual(["both", "unconfirmed"]);
  expect(await purge(settings, "--yes")).toEqual({ deleted: counts });
  expect(await namesLeft()).toEqual([]);
});

test("refuses to delete more than 5% of the list without --yes, and then deletes nothing", async () => {
  const settings = { PURGE_UNCONFIRMED_SINCE: ALWAYS };
  await addMailed("unanswered", "91 days", "newsletter = true");
  await operator.join(aSignUp({ website: "x" }), null);
  await sql`update quarantine set caught_at = '2020-01-01'`.execute(operator.db);
  await addOthers(18);
  expect(await purge(settings)).toEqual({ code: 2, stderr: expect.stringContaining("1 of 19 people, more than 5%") });
  expect(await namesLeft()).toEqual(["unanswered"]);
  expect(await waitlistJson("quarantine", "list")).toHaveLength(1);

  await addPerson("one-more");
  expect(await purge(settings)).toEqual({ deleted: { ...NOTHING, unconfirmed: 1, quarantined: 1 } });
  expect(await namesLeft()).toEqual(["one-more"]);
});
