import { expect, test } from "vitest";
import { invitePerson } from "#core/invitations/waves.ts";
import { changeEndpoint } from "#core/webhooks/endpoints.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addPeople } from "#tests/support/people.ts";
import { useWebhooks } from "#tests/support/webhooks.ts";

const context = useWebhooks();
const ACME = "Acme <!channel> & Co";
const week = (steps: string) => `\nLast 7 days: 0 views, ${steps}.`;
const confirm = async (...companies: string[]) => {
  const people = companies.map((company) => ({ email: `${crypto.randomUUID()}@x.com`, company, confirmed: false }));
  const ids = await addPeople(context.db, people);
  await context.db.pool.query("update sign_ups set confirmed_at = now(), company_key = company where id = any($1)", [
    ids,
  ]);
  return ids;
};
const texts = () => context.receiver.received.map(({ body }) => JSON.parse(body).text);

test("Slack hears of the first person at once, then only numbers and companies that three people share", async () => {
  const { id, secret } = await context.add("/slack", "digest");
  expect(secret).toBeUndefined();
  context.startSender();
  const [ada = ""] = await confirm(ACME);
  const first = "1 person joined in the last minute.";
  await expect.poll(texts).toEqual([first + week("1 joined, 1 confirmed (100%), 0 invited (0%), 0 accepted")]);
  await expect.poll(() => context.attempts(id)).toHaveLength(1);
  expect((await context.endpoint(id)).next_try_at.getTime()).toBeGreaterThan(Date.now() + 590_000);
  expect(context.receiver.received[0]?.headers).not.toHaveProperty("webhook-signature");
  await confirm(ACME, ACME, ACME, "Initech", "Initech", ...Array(4).fill("*Globex* `_@here_` ~x~"));
  await invitePerson(context.db, OPERATOR, ada);
  await context.db.pool.query("update webhook_events set at = at - interval '9 minutes'");
  await context.pass("10 minutes");
  await expect.poll(texts).toHaveLength(2);
  expect(texts()[1]).toBe(
    "9 people joined in the last 10 minutes, 4 of them from Globex here x, 3 of them from Acme &lt;!channel&gt; &amp; Co." +
      week("10 joined, 10 confirmed (100%), 1 invited (10%), 0 accepted (0%)"),
  );
});

test("a test of a digest says so, and doesn't delay the first person", async () => {
  const { id } = await context.add("/slack", "digest");
  await changeEndpoint(context.db, OPERATOR, "test", id);
  context.startSender();
  await expect.poll(texts).toEqual([expect.stringContaining("test")]);
  await confirm(ACME);
  await expect.poll(texts).toHaveLength(2);
});

test("passes over other events without a message, and names no company that is a URL", async () => {
  const { id } = await context.add("/slack", "digest");
  const [ada = ""] = await addPeople(context.db, [{ email: "ada@example.com" }]);
  await invitePerson(context.db, OPERATOR, ada);
  context.startSender();
  await expect.poll(async () => (await context.endpoint(id)).cursor).not.toBe("0");
  await confirm(...Array(3).fill("*ACTION NEEDED* https://spam.example @here"));
  await expect.poll(texts).toEqual([expect.stringMatching(/^3 people joined in the last minute\.\n/)]);
});
