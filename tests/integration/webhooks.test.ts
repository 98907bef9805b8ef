import { execFileSync } from "node:child_process";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { invitePerson } from "#core/invitations/waves.ts";
import { subjectOf } from "#core/links/invitation-tokens.ts";
import { importSuppressions } from "#core/mail/suppression/suppressions.ts";
import { confirmAddress, setNewsletter } from "#core/members/member.ts";
import { erase } from "#core/retention/erase.ts";
import { purge } from "#core/retention/purge.ts";
import { changeEndpoint } from "#core/webhooks/endpoints.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET } from "#tests/support/cli.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { addPeople } from "#tests/support/people.ts";
import { addQuestions, answerAs, TEAM_SIZE } from "#tests/support/questions.ts";
import { runNode } from "#tests/support/run-node.ts";
import { keyOf } from "#tests/support/sign-ups.ts";
import { useWebhooks } from "#tests/support/webhooks.ts";
import { machineBinaries } from "#tools/dev/postgres-binaries.ts";

const context = useWebhooks();
const keys = createKeys(SECRET);
const ADA = "ada@example.com";

const events = async () => {
  const rows = await context.db.selectFrom("webhook_events").select(["type", "sub"]).orderBy("id").execute();
  return rows.map(({ type, sub }) => (sub ? `${type} ${sub}` : type));
};
const eraseAda = () => erase(context.db, null, keyOf(ADA), keys);
const confirmAda = async () => {
  const [id = ""] = await addPeople(context.db, [{ email: ADA, confirmed: false }]);
  await confirmAddress(context.db, id);
  return id;
};
const until = (log: string[]) => expect.poll(context.log, { timeout: 20_000 }).toEqual(log);

test("records each change of a confirmed person once, and erasing them leaves only a pseudonym", async () => {
  const id = await confirmAda();
  await confirmAddress(context.db, id);
  await invitePerson(context.db, OPERATOR, id);
  await setNewsletter(context.db, null, id, false);
  async function* bounces() {
    yield ADA;
  }
  await importSuppressions(context.db, OPERATOR, bounces(), "bounced");
  expect(await events()).toEqual(
    ["confirmed", "invited", "unsubscribed", "suppressed"].map((type) => `person.${type}`),
  );
  await eraseAda();
  expect(await events()).toEqual([`person.erased ${subjectOf(keys, ADA)}`]);
});

test("says nothing about people who join, or who haven't confirmed their address", async () => {
  const [id = ""] = await addPeople(context.db, [{ email: ADA, confirmed: false }]);
  await invitePerson(context.db, OPERATOR, id);
  await setNewsletter(context.db, null, id, false);
  expect(await events()).toEqual([]);
  await confirmAddress(context.db, id);
  expect(await events()).toEqual(["person.confirmed", "person.invited"]);
  await addPeople(context.db, [{ email: "bob@example.com", confirmed: false }]);
  await erase(context.db, null, keyOf("bob@example.com"), keys);
  expect(await events()).toHaveLength(2);
});

test("a purge tells webhooks who is gone, and deletes events after 30 days", async () => {
  await addPeople(context.db, [{ email: ADA }]);
  await sql`update sign_ups set joined_at = '2020-06-01'`.execute(context.db);
  const rules = { LAUNCH_DATE: "2020-01-01", keys };
  await purge(context.db, OPERATOR, rules, new Date());
  expect(await events()).toEqual([`person.erased ${subjectOf(keys, ADA)}`]);
  await sql`update webhook_events set at = now() - interval '30 days 1 minute'`.execute(context.db);
  await purge(context.db, OPERATOR, rules, new Date());
  expect(await events()).toEqual([]);
});

test("standardwebhooks and svix verify an event, with the old secret too for a day", async () => {
  const { id, secret = "" } = await context.add();
  context.startSender();
  // A second click doesn't end the first secret.
  await changeEndpoint(context.db, OPERATOR, "rotate", id);
  const { secret: rotated = "" } = (await changeEndpoint(context.db, OPERATOR, "rotate", id)) ?? {};
  const person = await confirmAda();
  await expect.poll(() => context.attempts(id)).toEqual(["1: 200 delivered"]);
  await context.pass("1 day");
  await invitePerson(context.db, OPERATOR, person);
  await until(["/ confirmed", "/ invited"]);
  const verify = async (index: number, with_: string, change = "") => {
    const { headers, body } = context.receiver.received[index] ?? {};
    const args = [with_, JSON.stringify(headers), `${body}${change}`];
    return (await runNode("tests/support/verify-webhook.ts", {}, args)).code;
  };
  expect([await verify(0, secret), await verify(0, rotated), await verify(1, rotated)]).toEqual([0, 0, 0]);
  expect([await verify(1, secret), await verify(0, secret, " ")]).toEqual([1, 1]);
  const { timestamp, ...event } = JSON.parse(context.receiver.received[0]?.body ?? "");
  expect(timestamp).toMatch(/^\d{4}-.*Z$/);
  expect(event).toEqual({ type: "person.confirmed", data: { sub: subjectOf(keys, ADA) } });
});

test("names people and their answers only to an endpoint that asks", async () => {
  await context.add("/crm", "contact");
  await context.add("/other");
  const [question] = await addQuestions(context.db, TEAM_SIZE);
  await confirmAda();
  await answerAs(context.db, ADA, { [question?.id ?? ""]: [2] });
  context.startSender();
  await expect.poll(() => context.receiver.received.length).toBe(2);
  const data = Object.fromEntries(context.receiver.received.map(({ path, body }) => [path, JSON.parse(body).data]));
  const answers = [{ question: TEAM_SIZE.text, choices: ["11–50"] }];
  const contact = { email: ADA, firstName: "Ada", lastName: "Lovelace", company: null, answers };
  expect(data).toEqual({ "/crm": { sub: subjectOf(keys, ADA), ...contact }, "/other": { sub: subjectOf(keys, ADA) } });
});

test("sends nothing about someone erased while events wait, but that they were erased", async () => {
  const { id } = await context.add("/", "contact");
  await changeEndpoint(context.db, OPERATOR, "pause", id);
  await confirmAda();
  context.startSender();
  const unsent = async () => (await sql`select from webhook_events where position is null`.execute(context.db)).rows;
  await expect.poll(unsent).toEqual([]);
  await eraseAda();
  await changeEndpoint(context.db, OPERATOR, "resume", id);
  await until(["/ erased"]);
  expect(context.receiver.received[0]?.body).not.toContain("ada");
});

// npm's PostgreSQL has no pg_dump.
const withDump = test.skipIf(!machineBinaries());

withDump("after a restore, an event keeps its id or is sent as a new one, never under another event's id", async () => {
  await context.add();
  await confirmAda();
  const backup = `${context.folder}/backup`;
  execFileSync(`${machineBinaries()}/pg_dump`, ["--format=custom", "--file", backup, "--dbname", context.url]);
  const sender = context.startSender();
  const [bob = ""] = await addPeople(context.db, [{ email: "bob@example.com" }]);
  await invitePerson(context.db, OPERATOR, bob);
  await until(["/ confirmed", "/ invited"]);
  await sender.stop();
  const restore = ["--clean", "--single-transaction", "--dbname", context.url, backup];
  execFileSync(`${machineBinaries()}/pg_restore`, restore);
  await eraseAda();
  await addPeople(context.db, [{ email: "cy@example.com", confirmed: false }]);
  await sql`update sign_ups set confirmed_at = now()`.execute(context.db);
  context.startSender();
  await until(["/ confirmed", "/ invited", "/ erased", "/ confirmed"]);
  const ids = context.receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(4);
});

test("sends an event that commits late after those that committed before it", async () => {
  await context.add();
  const people = [{ email: ADA, confirmed: false }, { email: "bob@example.com" }];
  const [first = "", second = ""] = await addPeople(context.db, people);
  context.startSender();
  await inTransaction(context.db.pool, async (client) => {
    await client.query("update sign_ups set confirmed_at = now() where id = $1", [first]);
    await invitePerson(context.db, OPERATOR, second);
    await until(["/ invited"]);
  });
  await until(["/ invited", "/ confirmed"]);
});
