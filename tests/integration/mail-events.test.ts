import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { MAIL_EVENTS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { fetchCertificates } from "#core/mail/events/certificates.ts";
import { createLogger } from "#core/service/log.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { createApp } from "#server/app.ts";
import { useOperator, waitlistJson } from "#tests/support/cli.ts";
import * as providers from "#tests/support/mail-providers.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const { CERTIFICATE_URL, TOPIC, genericEvent, postmarkBounce, resendEvent, sesBounce, signPostmark, signWebhook } =
  providers;
type Signed = providers.Signed;
const context = useOperator();
const sns = providers.createSns();
const ADA = "ada@example.com";
const logged: string[] = [];
let app: FastifyInstance;

beforeAll(async () => {
  const log = createLogger("warn", { write: (line) => void logged.push(line) });
  app = await createApp({ db: context.db, ...unlimited, log, mailEvents: providers.MAIL_EVENTS });
});
afterAll(() => app.close());
beforeEach(async () => {
  await context.db.insertInto("sns_certificates").values({ url: CERTIFICATE_URL, pem: sns.certificate }).execute();
});

async function post(provider: string, { payload, headers }: Signed, remoteAddress = "192.0.2.1"): Promise<number> {
  const url = `${MAIL_EVENTS_PATH}/${provider}`;
  return (await app.inject({ method: "POST", url, payload, headers, remoteAddress })).statusCode;
}

/** Records a message to everyone as sent, `ago` in PostgreSQL's words. */
async function mailed(ago = "1 second"): Promise<string> {
  const id = await sendNews(context.db);
  await context.db.pool.query("update sign_ups set confirmed_at = now() - interval '60 days'");
  await context.db.pool.query("update deliveries set state = 'sent', tried_at = now() - $1::interval", [ago]);
  return id;
}
async function mailAda(ago?: string): Promise<void> {
  await addPeople(context.db, [{ email: ADA }]);
  await mailed(ago);
}
const readMails = () =>
  context.db.selectFrom("deliveries").innerJoin("sign_ups", "id", "sign_up_id").selectAll().execute();
const countRejected = async () => (await readMails()).filter(({ rejected_at }) => rejected_at).length;

const permanent = { type: "Permanent", message: "smtp; 550 5.1.1 No such user" };
const resend = (type: string, bounce?: object) => signWebhook("svix", resendEvent(type, ADA, bounce));
const generic = (type: string, email = ADA, status?: string) =>
  signWebhook("webhook", genericEvent(type, email, status));
test.each<[string, string, string, () => Signed]>([
  ["ses", "a bounce, signature version 1", "bounced", () => sns.sign(sesBounce(ADA), { version: "1" })],
  ["ses", "a bounce with a subject", "bounced", () => sns.sign(sesBounce(ADA), { signed: { Subject: "x" } })],
  ["ses", "a complaint", "complained", () => sns.sign(providers.sesComplaint(ADA))],
  ["ses", "a soft bounce", "sent", () => sns.sign(sesBounce(ADA, "4.2.2"))],
  ["ses", "a policy failure", "failed", () => sns.sign(sesBounce(ADA, "5.7.1"))],
  ["ses", "a delivery", "sent", () => sns.sign({ notificationType: "Delivery", delivery: {} })],
  ["postmark", "a bounce", "bounced", () => signPostmark(postmarkBounce(ADA))],
  ["postmark", "a block", "failed", () => signPostmark(postmarkBounce(ADA, { Type: "Blocked" }))],
  ["postmark", "a complaint", "complained", () => signPostmark(postmarkBounce(ADA, { RecordType: "SpamComplaint" }))],
  ["postmark", "a delivery", "sent", () => signPostmark({ RecordType: "Delivery", Recipient: ADA })],
  ["resend", "a bounce", "bounced", () => resend("email.bounced", permanent)],
  ["resend", "a soft bounce", "sent", () => resend("email.bounced", { type: "Transient" })],
  ["resend", "a complaint", "complained", () => resend("email.complained")],
  ["resend", "a delivery", "sent", () => resend("email.delivered")],
  ["generic", "a bounce in another case", "bounced", () => generic("bounce", "Ada@EXAMPLE.com")],
  ["generic", "a policy failure", "failed", () => generic("bounce", ADA, "5.7.1")],
  ["generic", "a complaint", "complained", () => generic("complaint")],
])("%s reports %s: the mail is %s, and a replay changes nothing", async (provider, _what, state, sign) => {
  await mailAda();
  const signed = sign();
  expect(await post(provider, signed)).toBe(204);
  const after = await readMails();
  expect(after.map((each) => each.state)).toEqual([state]);
  expect(await countRejected()).toBe(["bounced", "complained"].includes(state) ? 1 : 0);
  expect(await post(provider, signed)).toBe(204);
  expect(await readMails()).toEqual(after);
});

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const secret = `whsec_${Buffer.alloc(24, "b").toString("base64")}`;
const changeBody = ({ payload, headers }: Signed) => ({ payload: payload.replace("ada@", "eve@"), headers });
const withUrl = (SigningCertURL: string) => () => sns.sign(sesBounce(ADA), { changed: { SigningCertURL } });
const bounced = () => resendEvent("email.bounced", ADA, permanent);
test.each<[string, string, () => Signed]>([
  ["ses", "another topic", () => sns.sign(sesBounce(ADA), { signed: { TopicArn: `${TOPIC}s` } })],
  ["ses", "a replaced topic", () => sns.sign("", { signed: { TopicArn: "x" }, changed: { TopicArn: TOPIC } })],
  ["ses", "an old time", () => sns.sign(sesBounce(ADA), { signed: { Timestamp: ago(61).toISOString() } })],
  ["ses", "a changed body", () => changeBody(sns.sign(sesBounce(ADA)))],
  ["ses", "another SNS's key", () => providers.createSns().sign(sesBounce(ADA))],
  ["ses", "another host", withUrl("https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0.pem")],
  ["ses", "a bucket's host", withUrl("https://sns.s3.amazonaws.com/SimpleNotificationService-0.pem")],
  ["ses", "plain HTTP", withUrl(CERTIFICATE_URL.replace("https", "http"))],
  ["postmark", "another password", () => signPostmark(postmarkBounce(ADA), "another password of 20")],
  ["postmark", "no password", () => ({ ...signPostmark(postmarkBounce(ADA)), headers: {} })],
  ["resend", "an old time", () => signWebhook("svix", bounced(), { at: ago(6) })],
  ["resend", "another secret", () => signWebhook("svix", bounced(), { secret })],
  ["resend", "a changed body", () => changeBody(signWebhook("svix", bounced()))],
  ["generic", "no signature", () => ({ payload: JSON.stringify(genericEvent("bounce", ADA)), headers: {} })],
])("%s with %s gets 401 and stores nothing", async (provider, _what, forge) => {
  await mailAda();
  const before = await readMails();
  expect(await post(provider, forge())).toBe(401);
  expect(await readMails()).toEqual(before);
  expect(await context.db.selectFrom("sns_certificates").selectAll().execute()).toHaveLength(1);
});

test.each([
  ["isn't on the list", () => mailAda(), "eve@example.com"],
  ["got no mail", () => addPeople(context.db, [{ email: ADA }]), ADA],
  ["got the last mail 31 days ago", () => mailAda("31 days"), ADA],
])("an event is ignored if the address %s", async (_why, given, address) => {
  await given();
  expect(await post("generic", generic("complaint", address))).toBe(204);
  expect((await context.db.pool.query("select from sign_ups where rejected_at is not null")).rowCount).toBe(0);
});

describe("the certificate of an SES event", () => {
  const urls = async () =>
    (await context.db.selectFrom("sns_certificates").select("url").execute()).map(({ url }) => url);

  test("is noted by the server and fetched by the worker, from SNS only; events get 503 until then", async () => {
    await context.db.deleteFrom("sns_certificates").execute();
    await mailAda();
    const signed = sns.sign(sesBounce(ADA));
    expect(await post("ses", signed)).toBe(503);
    const other = "https://169.254.169.254/SimpleNotificationService-0.pem";
    await context.db.insertInto("sns_certificates").values({ url: other }).execute();
    const get = vi.fn<typeof fetch>(sns.fetch);
    await fetchCertificates(context.db, get);
    expect([get.mock.calls.map(([url]) => url), await urls()]).toEqual([[CERTIFICATE_URL], [CERTIFICATE_URL]]);
    expect(await post("ses", signed)).toBe(204);
    expect(await countRejected()).toBe(1);
  });

  test("isn't noted beyond twenty, and one that the worker doesn't find is forgotten", async () => {
    for (let number = 0; number < 25; number += 1) {
      const SigningCertURL = CERTIFICATE_URL.replace("0a1b", `c${number}`);
      expect(await post("ses", sns.sign("", { changed: { SigningCertURL } }))).toBe(503);
    }
    expect(await urls()).toHaveLength(20);
    await fetchCertificates(context.db, async () => new Response("Not found", { status: 404 }));
    expect(await urls()).toEqual([CERTIFICATE_URL]);
  });
});

test("a subscription's URL is logged for an operator, and never opened by us", async () => {
  const SubscribeURL = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
  logged.length = 0;
  const signed = { Type: "SubscriptionConfirmation", SubscribeURL, Token: "t" };
  expect(await post("ses", sns.sign("You have chosen to subscribe", { signed }))).toBe(204);
  expect(JSON.parse(logged.join(""))).toMatchObject({
    url: SubscribeURL,
    msg: "To get events from SNS, open this URL",
  });
});

test("takes 256 KiB of any type, responds 400 to anything malformed, and leaves other routes' limits alone", async () => {
  const { headers } = signPostmark({});
  const send = (payload: string, type: string) =>
    post("postmark", { payload, headers: { ...headers, "content-type": type } });
  const padded = (bytes: number) => JSON.stringify({ RecordType: "Delivery", x: "x".repeat(bytes) });
  expect(await send(padded(255 * 1024), "text/x-unknown")).toBe(204);
  expect(await send(padded(256 * 1024), "application/json")).toBe(413);
  for (const body of ["", "{", "null", "[]", "[".repeat(200_000)]) expect(await send(body, "text/plain")).toBe(400);
  const signUp = { method: "POST", url: WAITLIST_PATH, payload: padded(20_000) } as const;
  expect((await app.inject({ ...signUp, headers: { "content-type": "application/json" } })).statusCode).toBe(413);
  expect((await app.inject({ ...signUp, headers: { "content-type": "text/plain" } })).statusCode).toBe(415);
});

test("is off until configured, and each client has its own limit for each provider", async () => {
  const off = await createApp({ db: context.db, ...unlimited });
  onTestFinished(() => off.close());
  expect((await off.inject({ method: "POST", url: `${MAIL_EVENTS_PATH}/ses`, payload: "{}" })).statusCode).toBe(404);
  const forged = { payload: "{}", headers: {} };
  for (let time = 0; time < 6000; time += 1) await post("postmark", forged, "198.51.100.1");
  expect(await post("postmark", forged, "198.51.100.1")).toBe(429);
  expect(await post("resend", forged, "198.51.100.1")).toBe(401);
  expect(await post("postmark", forged, "198.51.100.2")).toBe(401);
});

test("a source that suppresses 50 people in a day, and a tenth of those mailed, is stopped until an operator undoes it", async () => {
  await addMany(context.db, 120);
  const consent =
    "insert into consents (sign_up_id, wording_version, given) select id, version, true from sign_ups, consent_wordings";
  await context.db.pool.query(consent);
  const message = await mailed();
  await context.db.pool.query("insert into mail_minutes (minute, mails, people) values (now(), 0, 600)");
  const complain = (number: number) => post("generic", generic("complaint", `p${number}@example.com`));
  const since = new Date().toISOString().slice(0, 19);
  expect(await post("resend", signWebhook("svix", resendEvent("email.complained", "p120@example.com")))).toBe(204);
  let complaints = 0;
  while ((await complain(complaints + 1)) === 204) complaints += 1;
  expect([complaints, await countRejected(), await complain(119)]).toEqual([60, 61, 503]);
  expect(await waitlistJson("mail", "status")).toMatchObject({ stoppedSources: ["generic"] });

  expect(await waitlistJson("suppressions", "resume", "generic", "--undo-since", since)).toEqual({ undone: 60 });
  expect(await waitlistJson("message", "status", message)).toMatchObject({ progress: { sent: 119, complained: 1 } });
  expect(await waitlistJson("status")).toMatchObject({ newsletter: 119, unsubscribed: 1, rejected: 1 });
  expect(await verifyConsents(context.db)).toMatchObject({ orphans: 0, contradictions: 0 });
  expect(await complain(1)).toBe(204);
});
