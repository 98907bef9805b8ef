// Past 200 lines, because each role does all its work, with the least privileges, on one database.
import { execFileSync } from "node:child_process";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ACCEPTED_PATH, MAIL_EVENTS_PATH, STATS_PATH, UNSUBSCRIBE_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import type { SignUpInput } from "#contract/sign-up.ts";
import { readConfig } from "#core/config/config.ts";
import { createKeys } from "#core/config/keys.ts";
import { connect } from "#core/database/connect.ts";
import { makeAcceptanceSecret } from "#core/invitations/acceptance-secrets.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { createToken } from "#core/links/links.ts";
import { fetchCertificates } from "#core/mail/events/certificates.ts";
import { editQuestion, retireQuestion } from "#core/members/edit-questions.ts";
import { readSignUp } from "#core/members/person-data.ts";
import { bringBack, readSetAside, setAside } from "#core/members/set-aside.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { readQuestions } from "#core/people/questions.ts";
import { verifyTotals } from "#core/people/totals.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { startViewCounter } from "#core/views/view-counter.ts";
import { recordAttempt } from "#core/webhooks/attempts.ts";
import { addEndpoint, readAttempts } from "#core/webhooks/endpoints.ts";
import { claimEvents } from "#core/webhooks/events.ts";
import { createApp } from "#server/app.ts";
import { acceptance, invitationsBy, sign, tokenFor } from "#tests/support/acceptances.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";
import { MAIL_ON, switchMail } from "#tests/support/mail-on.ts";
import { createSns, MAIL_EVENTS, sesComplaint } from "#tests/support/mail-providers.ts";
import { inDays, joinAsMember, SECRET } from "#tests/support/members.ts";
import { addQuestions, answerAs, TEAM_SIZE, TOOLS } from "#tests/support/questions.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { runNode } from "#tests/support/run-node.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { aSignUp, keyOf } from "#tests/support/sign-ups.ts";
import { machineBinaries } from "#tools/dev/postgres-binaries.ts";
import { unlimited } from "#tools/dev/unlimited.ts";
import { startMailWorker } from "#worker/start.ts";

const context = useLeastPrivilege();
const { db, url } = context;

let app: FastifyInstance;
beforeAll(async () => {
  const parts = { ...unlimited, keys: createKeys(SECRET), mail: MAIL_ON, mailEvents: MAIL_EVENTS };
  app = await createApp({ db: db.farwatch_serve, ...parts });
});
afterAll(() => app.close());

const join = async (changes: Partial<SignUpInput> = {}) =>
  (await app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp(changes) })).statusCode;
const press = async (path: string, payload = "") => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return (await app.inject({ method: "POST", url: path, payload, headers })).statusCode;
};
const count = async (table: "sign_ups" | "consents" | "erasures" | "quarantine") =>
  (await db.farwatch.selectFrom(table).selectAll().execute()).length;

test("farwatch_serve starts a server, takes sign-ups, duplicates and bots, reads the stats and counts views", async () => {
  await requireSchema(db.farwatch_serve, "server");
  await recordConsentWording(db.farwatch_serve);
  await switchMail(db.farwatch_serve, true);
  const ada = { email: "ada@example.com", company: "Acme", newsletter: true };
  expect([await join(ada), await join(ada), await join({ website: "bot" })]).toEqual([201, 409, 201]);
  expect(await count("quarantine")).toBe(1);
  expect((await app.inject(STATS_PATH)).json().data).toEqual({ totalUsers: 1, companiesInterested: 1 });
  const views = startViewCounter(db.farwatch_serve, () => {});
  for (let minute = 0; minute < 2; minute += 1) {
    views.count({}, false);
    await views.store();
  }
  await views.stop();
  expect(await db.farwatch_console.selectFrom("page_views").select("views").execute()).toEqual([{ views: 2 }]);
});

test("farwatch_serve confirms, subscribes, edits, answers, downloads, unsubscribes and erases a member", async () => {
  const page = await joinAsMember({ app, db: db.farwatch }, { company: "Solo" });
  await db.farwatch.pool.query(`
    update sign_ups set friend_of = (select min(id) from sign_ups) where id = (select max(id) from sign_ups)`);
  const [people, erasures] = [await count("sign_ups"), await count("erasures")];
  expect((await app.inject(page)).statusCode).toBe(200);
  expect(await press(`${page}/confirm`)).toBe(303);
  expect(await press(`${page}/newsletter`, "wanted=yes")).toBe(303);
  expect(await press(`${page}/details`, "firstName=Ada&lastName=King&company=Initech")).toBe(303);
  const [question] = await addQuestions(db.farwatch_console, TEAM_SIZE);
  expect(await press(`${page}/answers`, `${question?.id}.1=2`)).toBe(303);
  expect((await app.inject(`${page}/data`)).json()).toHaveProperty(["Your answers"], [{ [TEAM_SIZE.text]: "11–50" }]);
  await editQuestion(db.farwatch_console, OPERATOR, question?.id ?? "", 1, TEAM_SIZE);
  await addQuestions(db.farwatch_console, TOOLS);
  for (const { id } of await readQuestions(db.farwatch_console))
    await retireQuestion(db.farwatch_console, OPERATOR, id);
  await expect(answerAs(db.farwatch_work, "ada@example.com", {})).rejects.toThrow("permission denied");
  expect((await app.inject(`${page}/data`)).json()).toHaveProperty(["Your choices about product news", "length"], 1);
  expect(await press(`${page}/newsletter`, "wanted=no")).toBe(303);
  const consents = await count("consents");
  expect(await press(`${page}/leave`)).toBe(303);
  const left = [await count("sign_ups"), await count("consents"), await count("erasures")];
  expect(left).toEqual([people - 1, consents - 2, erasures + 1]);
  expect(await verifyTotals(db.farwatch)).toMatchObject({ exact: true });
});

test("someone whom farwatch_console set aside unsubscribes, signs up again and comes back through farwatch_serve", async () => {
  const person = { email: "aside@example.com", company: "Aside", newsletter: true };
  const page = await joinAsMember({ app, db: db.farwatch }, person);
  const member = await db.farwatch.selectFrom("sign_ups").selectAll().orderBy("id", "desc").executeTakeFirstOrThrow();
  const request = { filter: { since: member.joined_at }, upTo: member.id, withConfirmed: true };
  const read = () => readSignUp(db.farwatch, { id: member.id });
  expect(await setAside(db.farwatch_console, OPERATOR, request)).toBe(1);
  const [operation] = await readSetAside(db.farwatch_console);
  expect(await bringBack(db.farwatch_operate, OPERATOR, operation?.id ?? "")).toBe(1);
  expect(await setAside(db.farwatch_operate, OPERATOR, request)).toBe(1);
  const link = createToken("unsubscribe", createKeys(SECRET), member, inDays(1));
  expect(await press(`${UNSUBSCRIBE_PATH}/${link}`)).toBe(200);
  await db.farwatch.pool.query(`update sign_ups set utm = '{"source":"Fair","import":"imported"}' where id = $1`, [
    member.id,
  ]);
  expect(await join(person)).toBe(409);
  expect(await read()).toMatchObject({ newsletter: false, utm: { source: "Fair" }, set_aside_at: expect.any(Date) });
  expect(await press(`${page}/confirm`)).toBe(303);
  expect(await read()).toMatchObject({ set_aside_at: null });
  expect(await press(`${page}/leave`)).toBe(303);
});

test("farwatch_work runs the mail worker, which sends, retries, marks suppressed addresses, gives up and counts friends", async () => {
  const smtp = await startScratchSmtp();
  onTestFinished(smtp.stop);
  const settings = { DATABASE_URL: url.farwatch_work, SMTP_URL: smtp.url, SECRET, PUBLIC_ORIGIN: "https://x.test" };
  const { mail } = readConfig(settings);
  if (!mail) throw new Error("Mail is off");
  const faults: string[] = [];
  const worker = startMailWorker(mail, db.farwatch_work, (reason) => faults.push(String(reason)));
  onTestFinished(worker.stop);
  const deliveries = () => db.farwatch.selectFrom("deliveries").select("state").execute();
  const states = async () => (await deliveries()).map(({ state }) => state);
  await expect.poll(states, { timeout: 10_000 }).toContain("sent");

  smtp.refuseWith = "451";
  await join();
  await expect.poll(() => faults, { timeout: 10_000 }).not.toEqual([]);
  smtp.refuseWith = "550 5.1.1 No such user";
  await expect.poll(states, { timeout: 10_000 }).toContain("bounced");
  smtp.refuseWith = "554 5.7.1 Refused";
  smtp.refuseAt = "DATA";
  await join();
  await expect.poll(states, { timeout: 10_000 }).toContain("failed");
  expect(new Set(faults)).toEqual(
    new Set([
      "Error: The mail server 127.0.0.1 failed: EENVELOPE 451",
      "Error: The mail server 127.0.0.1 refused: EMESSAGE 554 5.7.1",
    ]),
  );
  const { rows } = await db.farwatch.pool.query("select task from maintenance_runs");
  expect(rows).toEqual([{ task: "friends" }]);
});

test("farwatch_serve applies a complaint, whose certificate farwatch_work fetched", async () => {
  const sns = createSns();
  await join({ email: "complains@example.com", newsletter: true });
  await db.farwatch.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, tried_at)
    select 2, id, 'sent', now() from sign_ups where email = 'complains@example.com'`);
  const { payload, headers } = sns.sign(sesComplaint("complains@example.com"));
  const send = async () =>
    (await app.inject({ method: "POST", url: `${MAIL_EVENTS_PATH}/ses`, payload, headers })).statusCode;
  expect(await send()).toBe(503);
  await fetchCertificates(db.farwatch_work, sns.fetch);
  expect(await send()).toBe(204);
  const person = db.farwatch
    .selectFrom("sign_ups")
    .select("newsletter")
    .where("email_key", "=", keyOf("complains@example.com"));
  expect(await person.executeTakeFirst()).toEqual({ newsletter: false });
});

test("farwatch_serve records an accepted invitation, by a secret of farwatch_console or farwatch_operate", async () => {
  const invitations = invitationsBy();
  const server = await createApp({ db: db.farwatch_serve, ...unlimited, invitations });
  onTestFinished(() => server.close());
  await makeAcceptanceSecret(db.farwatch_console, OPERATOR);
  const { secret } = await makeAcceptanceSecret(db.farwatch_operate, OPERATOR);
  await joinAsMember({ app, db: db.farwatch }, { email: "accepts@example.com" });
  await inviteNext(db.farwatch_operate, OPERATOR, { search: "accepts@example.com" }, 1);
  const person = () =>
    db.farwatch.selectFrom("sign_ups").selectAll().where("email_key", "=", keyOf("accepts@example.com"));
  const { payload, headers } = sign(acceptance(await tokenFor(await person().executeTakeFirstOrThrow())), secret);
  expect((await server.inject({ method: "POST", url: ACCEPTED_PATH, payload, headers })).statusCode).toBe(200);
  expect(await person().executeTakeFirst()).toMatchObject({ accepted_at: expect.any(Date) });
});

test("farwatch_work sends webhooks about changes that farwatch_serve makes", async () => {
  const { id } = await addEndpoint(db.farwatch_operate, OPERATOR, { url: "https://crm.example/", sends: "contact" });
  const page = await joinAsMember({ app, db: db.farwatch });
  await press(`${page}/confirm`);
  const [event] = await claimEvents(db.farwatch_work);
  if (event) await recordAttempt(db.farwatch_work, event, "200");
  expect(await readAttempts(db.farwatch_operate, id, 9)).toMatchObject([{ type: "person.confirmed", status: "200" }]);
});

test.skipIf(!machineBinaries())(
  "the owner dumps the list and restores it, privileges included, without a superuser",
  async () => {
    const admin = connect(context.adminUrl);
    onTestFinished(() => admin.destroy());
    await admin.pool.query("create database copy owner farwatch");
    const inCopy = (roleUrl: string) => new URL("/copy", roleUrl).href;
    const dump = execFileSync(`${machineBinaries()}/pg_dump`, ["--format=custom", "--dbname", url.farwatch]);
    const target = ["--exit-on-error", "--dbname", inCopy(url.farwatch)];
    execFileSync(`${machineBinaries()}/pg_restore`, target, { input: dump });
    expect(await runCommand({ DATABASE_URL: inCopy(url.farwatch_operate) }, ["verify"])).toMatchObject({ code: 0 });
  },
);

test("erase_person uses the real tables, regardless of the caller's search_path and temporary tables", async () => {
  await join({ email: "bob@example.com", newsletter: true });
  const client = await db.farwatch_serve.pool.connect();
  await client.query("create temporary table sign_ups (id bigint, email_key text, company_key text)");
  await client.query("set search_path = pg_temp, public");
  const { rows } = await client.query("select entries from erase_person('bob@example.com', sha256('x'), 'x')");
  client.release(true);
  expect(rows).toEqual([{ entries: 1 }]);
});

test("a server that sends mail itself needs the role of the mail worker too", async () => {
  const mail = { SECRET, SMTP_URL: "smtp://127.0.0.1", PUBLIC_ORIGIN: "https://x.test" };
  expect(await runNode("server/main.ts", { DATABASE_URL: url.farwatch_serve, PORT: "0", ...mail })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("permission denied for table"),
  });
});

test("a server whose role has no privileges yet prints one line that says so", async () => {
  await db.farwatch.pool.query("revoke all on all tables in schema public from farwatch_serve");
  expect(await runNode("server/main.ts", { DATABASE_URL: url.farwatch_serve, PORT: "0" })).toMatchObject({
    code: 1,
    stderr:
      'The database refused: permission denied for table kysely_migration. Check the role in DATABASE_URL; "waitlist migrate", run by the owner of the tables, grants the privileges.\n',
  });
});
