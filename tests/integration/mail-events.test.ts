import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { MAIL_EVENTS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { fetchCertificates } from "#core/mail/events/certificates.ts";
import { createLogger } from "#core/service/log.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { createApp } from "#server/app.ts";
import { useOperator, waitlistJson } from "#tests/support/cli.ts";
import {
  CERTIFICATE_URL,
  createSns,
  genericEvent,
  MAIL_EVENTS,
  resendEvent,
  type Signed,
  sesBounce,
  sesComplaint,
  signPostmark,
  signWebhook,
  TOPIC,
} from "#tests/support/mail-providers.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useOperator();
const sns = createSns();
const ADA = "ada@example.com";
const logged: string[] = [];
let app: FastifyInstance;

beforeAll(async () => {
  const log = createLogger("warn", { write: (line) => void logged.push(line) });
  app = await createApp({ db: context.db, ...unlimited, log, mailEvents: MAIL_EVENTS });
});
afterAll(() => app.close());
beforeEach(async () => {
  await context.db.insertInto("sns_certificates").values({ url: CERTIFICATE_URL, pem: sns.certificate }).execute();
});

async function post(provider: string, { payload, headers }: Signed, remoteAddress = "192.0.2.1") {
  const url = `${MAIL_EVENTS_PATH}/${provider}`;
  return (await app.inject({ method: "POST", url, payload, headers, remoteAddress })).statusCode;
}

/** Records a message as sent to these people, `ago` in PostgreSQL's words. */
async function mailed(ago = "1 second"): Promise<string> {
  const id = await sendNews(context.db);
  await context.db.pool.query("update sign_ups set confirmed_at = now() - interval '60 days'");
  await context.db.pool.query(
    "update deliveries set state = 'sent', sent_at = now() - $1::interval, tried_at = now() - $1::interval",
    [ago],
  );
  return id;
}
async function mailAda(ago?: string): Promise<void> {
  await addPeople(context.db, [{ email: ADA }]);
  await mailed(ago);
}
const states = async () =>
  (await context.db.selectFrom("deliveries").select("state").orderBy("sign_up_id").execute()).map(({ state }) => state);
const countRejected = async () =>
  (await context.db.pool.query("select from sign_ups where rejected_at is not null")).rowCount;

const permanent = { type: "Permanent", subType: "General", message: "smtp; 550 5.1.1 No such user" };
const at = new Date().toISOString();
const postmark = { RecordType: "Bounce", Type: "HardBounce", Email: ADA, Details: "smtp;550 5.1.1 x", BouncedAt: at };
const EVENTS: [string, string, string, () => Signed][] = [
  ["ses", "a bounce, signature version 1", "bounced", () => sns.sign(sesBounce(ADA), { version: "1" })],
  [
    "ses",
    "a bounce, signature version 2, with a subject",
    "bounced",
    () => sns.sign(sesBounce(ADA), { signed: { Subject: "x" } }),
  ],
  ["ses", "a complaint", "complained", () => sns.sign(sesComplaint(ADA))],
  ["ses", "a soft bounce", "sent", () => sns.sign(sesBounce(ADA, "4.2.2"))],
  ["ses", "a refusal", "failed", () => sns.sign(sesBounce(ADA, "5.7.1"))],
  ["ses", "a delivery", "sent", () => sns.sign({ notificationType: "Delivery", delivery: {} })],
  ["postmark", "a bounce", "bounced", () => signPostmark(postmark)],
  ["postmark", "a complaint", "complained", () => signPostmark({ ...postmark, RecordType: "SpamComplaint" })],
  ["postmark", "a block", "failed", () => signPostmark({ ...postmark, Type: "Blocked" })],
  ["postmark", "a delivery", "sent", () => signPostmark({ RecordType: "Delivery", Recipient: ADA })],
  ["resend", "a bounce", "bounced", () => signWebhook("svix", resendEvent("email.bounced", ADA, permanent))],
  [
    "resend",
    "a soft bounce",
    "sent",
    () => signWebhook("svix", resendEvent("email.bounced", ADA, { type: "Transient" })),
  ],
  ["resend", "a complaint", "complained", () => signWebhook("svix", resendEvent("email.complained", ADA))],
  ["resend", "a delivery", "sent", () => signWebhook("svix", resendEvent("email.delivered", ADA))],
  ["generic", "a bounce", "bounced", () => signWebhook("webhook", genericEvent("bounce", "Ada@EXAMPLE.com"))],
  ["generic", "a refusal", "failed", () => signWebhook("webhook", genericEvent("bounce", ADA, "5.7.1"))],
  ["generic", "a complaint", "complained", () => signWebhook("webhook", genericEvent("complaint", ADA))],
];
test.each(EVENTS)(
  "%s reports %s, and the mail is %s; the same event again changes nothing",
  async (provider, _what, state, sign) => {
    await mailAda();
    const signed = sign();
    expect(await post(provider, signed)).toBe(204);
    expect(await states()).toEqual([state]);
    const read = () =>
      context.db.selectFrom("deliveries").innerJoin("sign_ups", "id", "sign_up_id").selectAll().execute();
    const before = await read();
    expect(await post(provider, signed)).toBe(204);
    expect(await read()).toEqual(before);
    expect(await countRejected()).toBe(state === "bounced" || state === "complained" ? 1 : 0);
  },
);

const anHourAgo = new Date(Date.now() - 3_700_000);
const sixMinutesAgo = new Date(Date.now() - 360_000);
const others = { postmark: "another password of 20", secret: `whsec_${Buffer.alloc(24, "b").toString("base64")}` };
const changeBody = ({ payload, headers }: Signed) => ({ payload: payload.replace("ada@", "bob@"), headers });
const bounced = () => resendEvent("email.bounced", ADA, permanent);
const FORGERIES: [string, string, () => Signed][] = [
  ["ses", "another topic", () => sns.sign(sesBounce(ADA), { signed: { TopicArn: `${TOPIC}s` } })],
  ["ses", "an old time", () => sns.sign(sesBounce(ADA), { signed: { Timestamp: anHourAgo.toISOString() } })],
  ["ses", "a changed body", () => changeBody(sns.sign(sesBounce(ADA)))],
  [
    "ses",
    "a changed topic",
    () => sns.sign(sesBounce(ADA), { signed: { TopicArn: "x" }, changed: { TopicArn: TOPIC } }),
  ],
  ["ses", "another SNS's key", () => createSns().sign(sesBounce(ADA))],
  ...[
    "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0.pem",
    "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem",
    "https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-0.pem",
    "https://bucket.s3.amazonaws.com/SimpleNotificationService-0.pem",
  ].map((SigningCertURL): [string, string, () => Signed] => [
    "ses",
    SigningCertURL,
    () => sns.sign(sesBounce(ADA), { changed: { SigningCertURL } }),
  ]),
  ["postmark", "another password", () => signPostmark(postmark, others.postmark)],
  ["postmark", "no password", () => ({ ...signPostmark(postmark), headers: {} })],
  ["resend", "an old time", () => signWebhook("svix", bounced(), { at: sixMinutesAgo })],
  ["resend", "another secret", () => signWebhook("svix", bounced(), { secret: others.secret })],
  ["resend", "a changed body", () => changeBody(signWebhook("svix", bounced()))],
  ["resend", "other headers", () => signWebhook("webhook", bounced())],
  ["generic", "no signature", () => ({ payload: JSON.stringify(genericEvent("bounce", ADA)), headers: {} })],
];
test.each(FORGERIES)("%s with %s gets 401 and stores nothing", async (provider, _what, forge) => {
  await mailAda();
  expect(await post(provider, forge())).toBe(401);
  expect([await states(), await countRejected()]).toEqual([["sent"], 0]);
  expect(await context.db.selectFrom("sns_certificates").selectAll().execute()).toHaveLength(1);
});

test.each([
  ["isn't on the list", () => mailAda(), "eve@example.com"],
  ["got no mail", () => addPeople(context.db, [{ email: ADA }]), ADA],
  ["got the last mail 31 days ago", () => mailAda("31 days"), ADA],
])("an event is ignored if the address %s", async (_why, given, address) => {
  await given();
  expect(await post("generic", signWebhook("webhook", genericEvent("complaint", address)))).toBe(204);
  expect(await countRejected()).toBe(0);
});

describe("the certificate of an SES event", () => {
  const urls = async () =>
    (await context.db.selectFrom("sns_certificates").select("url").execute()).map(({ url }) => url);

  test("is noted by the server and fetched by the worker; SNS retries until then", async () => {
    await context.db.deleteFrom("sns_certificates").execute();
    await mailAda();
    const signed = sns.sign(sesBounce(ADA));
    expect(await post("ses", signed)).toBe(503);
    expect(await states()).toEqual(["sent"]);
    await fetchCertificates(context.db, sns.fetch);
    expect(await post("ses", signed)).toBe(204);
    expect(await states()).toEqual(["bounced"]);
  });

  test("is forgotten if the worker doesn't find one, and never fetched from another host", async () => {
    await context.db.deleteFrom("sns_certificates").execute();
    const other = "https://169.254.169.254/SimpleNotificationService-0.pem";
    for (const url of [CERTIFICATE_URL, other])
      await context.db.insertInto("sns_certificates").values({ url }).execute();
    const fetched: string[] = [];
    await fetchCertificates(context.db, async (url) => {
      fetched.push(String(url));
      return new Response("Not found", { status: 404 });
    });
    expect([fetched, await urls()]).toEqual([[CERTIFICATE_URL], []]);
  });

  test("isn't noted beyond twenty, so that strangers can't make the worker fetch more", async () => {
    for (let number = 0; number < 25; number += 1) {
      const SigningCertURL = CERTIFICATE_URL.replace("0a1b", `c${number}`);
      expect(await post("ses", sns.sign("{}", { changed: { SigningCertURL } }))).toBe(503);
    }
    expect(await urls()).toHaveLength(20);
  });
});

test("a subscription's URL is logged for an operator, and never opened by us", async () => {
  const SubscribeURL = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
  const signed = { Type: "SubscriptionConfirmation", SubscribeURL, Token: "t" };
  logged.length = 0;
  expect(await post("ses", sns.sign("You have chosen to subscribe", { signed }))).toBe(204);
  expect(JSON.parse(logged.join(""))).toMatchObject({
    url: SubscribeURL,
    msg: "To get events from SNS, open this URL",
  });
});

test("takes 256 KiB of any type, responds 400 to anything malformed, and leaves other routes' limits alone", async () => {
  const send = async (url: string, payload: string, headers: object) =>
    (await app.inject({ method: "POST", url, payload, headers: { ...headers } })).statusCode;
  const { headers } = signPostmark({});
  const url = `${MAIL_EVENTS_PATH}/postmark`;
  const padded = (bytes: number) => JSON.stringify({ RecordType: "Delivery", x: "x".repeat(bytes) });
  expect(await send(url, padded(255 * 1024), { ...headers, "content-type": "text/x-unknown" })).toBe(204);
  expect(await send(url, padded(256 * 1024), headers)).toBe(413);
  for (const body of ["", "{", "null", "[]", "[".repeat(200_000)]) expect(await send(url, body, headers)).toBe(400);
  expect(await send(WAITLIST_PATH, padded(20_000), { "content-type": "application/json" })).toBe(413);
  expect(await send(WAITLIST_PATH, "{}", { "content-type": "text/plain" })).toBe(415);
});

test("is off until configured", async () => {
  const off = await createApp({ db: context.db, ...unlimited });
  onTestFinished(() => off.close());
  expect((await off.inject({ method: "POST", url: `${MAIL_EVENTS_PATH}/ses`, payload: "{}" })).statusCode).toBe(404);
  expect(await post("mailgun", signPostmark({}))).toBe(404);
});

test("each client has its own limit for each provider", async () => {
  const forged = { payload: "{}", headers: {} };
  for (let time = 0; time < 6000; time += 1) await post("postmark", forged, "198.51.100.1");
  expect(await post("postmark", forged, "198.51.100.1")).toBe(429);
  expect(await post("resend", forged, "198.51.100.1")).toBe(401);
  expect(await post("postmark", signPostmark({ RecordType: "Open" }), "198.51.100.2")).toBe(204);
});

describe("a source that suppresses too many people", () => {
  const complain = (number: number, provider: "generic" | "resend" = "generic") => {
    const address = `p${number}@example.com`;
    return post(
      provider,
      provider === "generic"
        ? signWebhook("webhook", genericEvent("complaint", address))
        : signWebhook("svix", resendEvent("email.complained", address)),
    );
  };
  const complainUntil503 = async (from: number) => {
    let complaints = 0;
    while ((await complain(from + complaints)) === 204) complaints += 1;
    return complaints;
  };

  test("is stopped after 50 a day, or a tenth of those mailed; others aren't", async () => {
    await addMany(context.db, 120);
    await mailed();
    await context.db.pool.query("insert into mail_minutes (minute, mails, people) values (now(), 0, 600)");
    expect(await complainUntil503(1)).toBe(60);
    expect(await countRejected()).toBe(60);
    expect(await complain(61, "resend")).toBe(204);
    await context.db.pool.query("update mail_sources set stopped_at = null, since = now() - interval '25 hours'");
    expect(await complain(62)).toBe(204);
    await context.db.deleteFrom("mail_minutes").execute();
    expect(await complainUntil503(63)).toBe(49);
  });

  test("is resumed by an operator, who can undo what it reported: newsletter and ledger too", async () => {
    await addMany(context.db, 51);
    await context.db.pool.query(
      "insert into consents (sign_up_id, wording_version, given) select id, version, true from sign_ups, consent_wordings",
    );
    const message = await mailed();
    const before = new Date().toISOString();
    expect(await complain(51, "resend")).toBe(204);
    expect(await complainUntil503(1)).toBe(50);
    expect(await waitlistJson("suppressions", "resume", "generic", "--undo-since", before.slice(0, 19))).toEqual({
      undone: 50,
    });
    expect(await countRejected()).toBe(1);
    expect(await waitlistJson("message", "status", message)).toMatchObject({ progress: { sent: 50, complained: 1 } });
    expect(await waitlistJson("status")).toMatchObject({ newsletter: 50, unsubscribed: 1 });
    expect(await verifyConsents(context.db)).toMatchObject({ orphans: 0, contradictions: 0 });
    expect(await complain(1)).toBe(204);
  });
});
