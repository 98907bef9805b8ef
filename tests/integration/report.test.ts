import { sql } from "kysely";
import { expect, test } from "vitest";
import { connect } from "#core/database/connect.ts";
import { readNumbers } from "#core/waitlist/report-numbers.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Midnight UTC twenty days ago, the base of every timestamp below. */
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS - 20 * DAY_MS;

let people = 0;
function joinedAt(at: number, changes: object = {}) {
  people += 1;
  const email = `ada${people}@example.com`;
  const person = { email, email_key: email, first_name: "Ada", last_name: "Lovelace", newsletter: false };
  return { ...person, joined_at: new Date(at), ...changes };
}

/** A time zone with daylight saving, whose date differs from UTC for hours every day. */
async function readInNewYork() {
  await sql`alter database ${sql.id(new URL(context.url).pathname.slice(1))} set timezone to 'America/New_York'`.execute(
    context.db,
  );
  const db = connect(context.url);
  return readNumbers(db).finally(() => db.destroy());
}

test("an empty list has two weeks and 72 hours of zeros", async () => {
  const numbers = await readNumbers(context.db);
  expect(numbers).toMatchObject({ signUps: 0, companies: 0, quarantined: 0, topCompanies: [], topSources: [] });
  expect(numbers.days.map(({ signUps }) => signUps)).toEqual(Array(14).fill(0));
  expect(numbers.hours.map(({ signUps }) => signUps)).toEqual(Array(72).fill(0));
});

test("counts match the list and use UTC days in any session time zone", async () => {
  const acme = { company_key: "acme", newsletter: true };
  await context.db
    .insertInto("sign_ups")
    .values([
      joinedAt(START + DAY_MS - 1, { ...acme, company: "Acme Inc.", utm: { source: "news", campaign: "launch" } }),
      joinedAt(START + DAY_MS, { ...acme, company: "Acme", utm: { source: "news", campaign: "launch" } }),
      joinedAt(START + DAY_MS + HOUR_MS, { ...acme, company: "Acme", utm: { medium: "mail" } }),
      joinedAt(START + 5 * DAY_MS, { company: "Umbrella", company_key: "umbrella", utm: { term: "only" } }),
      joinedAt(Date.now() - 30 * HOUR_MS, { email_key: '"a@b"@mail.example' }),
      joinedAt(Date.now() - 60_000, { company: "n/a" }),
    ])
    .execute();
  await context.db
    .insertInto("companies")
    .values([
      { key: "acme", sign_ups: 3 },
      { key: "umbrella", sign_ups: 1 },
    ])
    .execute();
  const { joined_at, ...bot } = joinedAt(0, { website: "https://spam.example", caught_at: new Date(START) });
  await context.db
    .insertInto("quarantine")
    .values({ website: "", ...bot })
    .execute();
  const invited = { invited_at: new Date(START + 6 * DAY_MS), confirmed_at: new Date() };
  await context.db.updateTable("sign_ups").set(invited).where("company_key", "=", "acme").execute();

  const numbers = await readInNewYork();
  expect(numbers).toMatchObject({
    signUps: 6,
    lastDay: 1,
    companies: 2,
    newsletter: 3,
    invited: 3,
    confirmed: 3,
    withoutSource: 3,
    quarantined: 1,
    topCompanies: [
      { name: "Acme", signUps: 3 },
      { name: "Umbrella", signUps: 1 },
    ],
    topDomains: [
      { name: "example.com", signUps: 5 },
      { name: "mail.example", signUps: 1 },
    ],
    topSources: [
      { source: "news", medium: null, campaign: "launch", signUps: 2 },
      { source: null, medium: "mail", campaign: null, signUps: 1 },
    ],
  });
  expect(numbers.days.length).toBeGreaterThanOrEqual(21);
  expect(numbers.days.slice(0, 7)).toEqual([
    { from: new Date(START), signUps: 1, invited: 0, caught: 1 },
    { from: new Date(START + DAY_MS), signUps: 2, invited: 0, caught: 0 },
    ...[2, 3, 4].map((day) => ({ from: new Date(START + day * DAY_MS), signUps: 0, invited: 0, caught: 0 })),
    { from: new Date(START + 5 * DAY_MS), signUps: 1, invited: 0, caught: 0 },
    { from: new Date(START + 6 * DAY_MS), signUps: 0, invited: 3, caught: 0 },
  ]);
  expect(numbers.hours).toHaveLength(72);
  expect(numbers.hours.filter(({ signUps }) => signUps > 0)).toHaveLength(2);
});

test("all numbers come from one snapshot while people join", async () => {
  await emptyWaitlist(context.db);
  let isReading = true;
  const joining = (async () => {
    while (isReading) await context.db.insertInto("sign_ups").values(joinedAt(Date.now())).execute();
  })();
  for (let round = 0; round < 20; round += 1) {
    const { signUps, days, topDomains } = await readNumbers(context.db);
    expect(days.reduce((sum, day) => sum + day.signUps, 0)).toBe(signUps);
    expect(topDomains[0]?.signUps ?? 0).toBe(signUps);
  }
  isReading = false;
  await joining;
});
