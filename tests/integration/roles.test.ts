import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MEMBERSHIP_PATH, STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { readConfig } from "#core/config/config.ts";
import { createKeys } from "#core/config/keys.ts";
import { holdMail } from "#core/mail/hold.ts";
import { memberToken } from "#core/members/links.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { createApp } from "#server/app.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { unlimited } from "#tools/dev/unlimited.ts";
import { startMailWorker } from "#worker/start.ts";

vi.setConfig({ testTimeout: 30_000 });
const SECRET = "a secret of at least 32 characters";
const { db, url } = useLeastPrivilege();

let app: FastifyInstance;
beforeAll(async () => {
  app = await createApp({ db: db.farwatch_serve, ...unlimited, keys: createKeys(SECRET), isMailed: true });
});
afterAll(() => app.close());

const join = (changes: Parameters<typeof aSignUp>[0] = {}) =>
  app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp(changes) });
const press = async (path: string, payload = "") => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return (await app.inject({ method: "POST", url: path, payload, headers })).statusCode;
};
const count = async (table: "sign_ups" | "consents" | "erasures" | "quarantine") =>
  (await db.farwatch.selectFrom(table).selectAll().execute()).length;

/** Signs someone up and returns the path of their member page. */
async function aMember(changes: Parameters<typeof aSignUp>[0] = {}): Promise<string> {
  await join(changes);
  const member = await db.farwatch.selectFrom("sign_ups").selectAll().orderBy("id", "desc").executeTakeFirstOrThrow();
  return `${MEMBERSHIP_PATH}/${memberToken(createKeys(SECRET), member, new Date(Date.now() + 86_400_000))}`;
}

describe("farwatch_serve", () => {
  test("starts a server, takes sign-ups, duplicates and bots, and reads the stats", async () => {
    await requireSchema(db.farwatch_serve, "server");
    await recordConsentWording(db.farwatch_serve);
    const ada = { email: "ada@example.com", company: "Acme", newsletter: true };
    expect((await join(ada)).statusCode).toBe(201);
    expect((await join(ada)).statusCode).toBe(409);
    expect((await join({ website: "bot" })).statusCode).toBe(201);
    expect(await count("quarantine")).toBe(1);
    expect((await app.inject(STATS_PATH)).json().data).toEqual({ totalUsers: 1, companiesInterested: 1 });
    await holdMail(db.farwatch_serve);
    await db.farwatch.deleteFrom("mail_hold").execute();
  });

  test("confirms, subscribes, downloads, unsubscribes and erases a member", async () => {
    const page = await aMember({ company: "Solo", newsletter: false });
    const [people, erasures] = [await count("sign_ups"), await count("erasures")];
    expect((await app.inject(page)).statusCode).toBe(200);
    expect(await press(`${page}/confirm`)).toBe(303);
    expect(await press(`${page}/newsletter`, "wanted=yes")).toBe(303);
    expect(await press(`${page}/details`, "firstName=Ada&lastName=King&company=Initech")).toBe(303);
    expect((await app.inject(`${page}/data`)).json()).toHaveProperty(["Your choices about product news", "length"], 1);
    expect(await press(`${page}/newsletter`, "wanted=no")).toBe(303);
    const consents = await count("consents");
    expect(await press(`${page}/leave`)).toBe(200);
    expect([await count("sign_ups"), await count("consents"), await count("erasures")]).toEqual([
      people - 1,
      consents - 2,
      erasures + 1,
    ]);
    expect(await verifyTotals(db.farwatch)).toMatchObject({ exact: true });
  });

  test("runs the mail worker, which sends, retries, marks rejected addresses and gives up", async () => {
    const smtp = await startScratchSmtp();
    const settings = { DATABASE_URL: url.farwatch_serve, SMTP_URL: smtp.url, SECRET, PUBLIC_ORIGIN: "https://x.test" };
    const { mail } = readConfig(settings);
    if (!mail) throw new Error("Mail is off");
    const faults: string[] = [];
    const worker = startMailWorker(mail, db.farwatch_serve, (reason) => faults.push(String(reason)));
    const waiting = async () => (await sql`select from sign_ups where mail_due`.execute(db.farwatch)).rows.length;
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
    await expect.poll(() => smtp.mails.length, { timeout: 10_000 }).toBeGreaterThan(0);
    const states = async () =>
      (await sql<{ state: string }>`select state from deliveries`.execute(db.farwatch)).rows.map(({ state }) => state);
    await expect.poll(states, { timeout: 10_000 }).not.toContain("pending");

    smtp.refuseWith = "451";
    await join();
    await expect.poll(() => faults, { timeout: 10_000 }).not.toEqual([]);
    smtp.refuseWith = "550 5.1.1 No such user";
    await expect.poll(states, { timeout: 10_000 }).toContain("rejected");
    smtp.refuseWith = "554 5.7.1 Refused";
    smtp.refuseAt = "DATA";
    await join();
    await expect.poll(states, { timeout: 10_000 }).toContain("failed");
    await worker.stop();
    await smtp.stop();
    expect(new Set(faults)).toEqual(new Set(["Error: The mail server failed: EENVELOPE 451"]));
  });

  test.each([
    "update consents set given = true",
    "delete from consents",
    "truncate consents",
    "delete from sign_ups",
    "truncate sign_ups",
    "update sign_ups set email = 'eve@example.com'",
    "update consent_wordings set wording = ''",
    "select 1 from erasures",
    "update erasures set erased_at = now()",
    "select 1 from waves",
    "select 1 from activity",
    "insert into activity (actor, via, action) values ('eve', 'console', 'erase')",
    "alter table sign_ups add column eve text",
    "alter table consents disable trigger all",
    "drop table consents",
    "drop function erase_person",
    "create table eve ()",
    "create or replace function erase_person(text, timestamptz, bytea) returns void language sql as ''",
    "delete from kysely_migration",
    "set role farwatch",
    "copy sign_ups to program 'true'",
  ])("may not run: %s", async (statement) => {
    await expect(db.farwatch_serve.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

test("erase_person uses the real tables, whatever the caller's search_path and temporary tables", async () => {
  await join({ email: "bob@example.com", newsletter: true });
  const client = await db.farwatch_serve.pool.connect();
  await client.query(
    "create temporary table sign_ups (id bigint, email_key text, joined_at timestamptz, company_key text)",
  );
  await client.query("set search_path = pg_temp, public");
  const { rows } = await client.query("select entries from erase_person('bob@example.com', 'infinity', null)");
  client.release(true);
  expect(rows).toEqual([{ entries: 1 }]);
  // Outside the application nothing was counted.
  await db.farwatch.pool.query(
    "update totals set users = users - 1 where slot = (select min(slot) from totals where users > 0)",
  );
});
