import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchCertificates } from "#core/mail/events/certificates.ts";
import { generic, useMailEvents } from "#tests/support/mail-events.ts";
import * as providers from "#tests/support/mail-providers.ts";
import { addPeople } from "#tests/support/people.ts";

const { CERTIFICATE_URL, TOPIC, genericEvent, postmarkBounce, resendEvent, sesBounce, signPostmark, signWebhook } =
  providers;
type Signed = providers.Signed;
const context = useMailEvents();
const { sns, post, readMails, countRejected } = context;
const ADA = "ada@example.com";
afterEach(() => void vi.useRealTimers());

async function mailAda(ago?: string): Promise<void> {
  await addPeople(context.db, [{ email: ADA }]);
  await context.mailed(ago);
}

const permanent = { type: "Permanent", message: "smtp; 550 5.1.1 No such user" };
const resend = (type: string, bounce?: object) => signWebhook("svix", resendEvent(type, ADA, bounce));
test.each<[string, string, string, () => Signed]>([
  ["ses", "a bounce, signature version 1", "bounced", () => sns.sign(sesBounce(ADA), { version: "1" })],
  ["ses", "a bounce with a subject", "bounced", () => sns.sign(sesBounce(ADA), { signed: { Subject: "x" } })],
  ["ses", "a complaint", "complained", () => sns.sign(providers.sesComplaint(ADA))],
  ["ses", "a complaint taken back", "sent", () => sns.sign(providers.sesComplaint(ADA, "not-spam"))],
  ["ses", "a soft bounce", "sent", () => sns.sign(sesBounce(ADA, "4.2.2"))],
  ["ses", "a policy failure", "failed", () => sns.sign(sesBounce(ADA, "5.7.1"))],
  // A relay such as Exim gives every failure this status, so the diagnostic code decides.
  ["ses", "a relay's policy failure", "failed", () => sns.sign(sesBounce(ADA, "5.0.0", "smtp; 550 5.7.1 Blocked"))],
  ["ses", "a delivery", "sent", () => sns.sign({ notificationType: "Delivery", delivery: {} })],
  ["postmark", "a bounce", "bounced", () => signPostmark(postmarkBounce(ADA))],
  ["postmark", "a block", "failed", () => signPostmark(postmarkBounce(ADA, { Type: "Blocked" }))],
  ["postmark", "a complaint", "complained", () => signPostmark(postmarkBounce(ADA, { RecordType: "SpamComplaint" }))],
  ["resend", "a bounce", "bounced", () => resend("email.bounced", permanent)],
  ["resend", "a soft bounce", "sent", () => resend("email.bounced", { type: "Transient" })],
  ["resend", "a complaint", "complained", () => resend("email.complained")],
  ["generic", "a bounce in another case", "bounced", () => generic("bounce", "Ada@EXAMPLE.com")],
  ["generic", "a policy failure", "failed", () => generic("bounce", ADA, "5.7.1")],
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
function inTwoDays(): Signed {
  vi.setSystemTime(ago(-2 * 24 * 60));
  return sns.sign(sesBounce(ADA));
}
function unsigned(): Signed {
  const { payload, headers } = signWebhook("svix", bounced());
  return { payload, headers: { ...headers, "svix-signature": "" } };
}
const bounced = () => resendEvent("email.bounced", ADA, permanent);
test.each<[string, string, () => Signed]>([
  ["ses", "another topic", () => sns.sign(sesBounce(ADA), { signed: { TopicArn: `${TOPIC}s` } })],
  ["ses", "a replaced topic", () => sns.sign("", { signed: { TopicArn: "x" }, changed: { TopicArn: TOPIC } })],
  ["ses", "an old time", () => sns.sign(sesBounce(ADA), { signed: { Timestamp: ago(61).toISOString() } })],
  ["ses", "a time ahead", () => sns.sign(sesBounce(ADA), { signed: { Timestamp: ago(-61).toISOString() } })],
  ["ses", "an expired certificate", inTwoDays],
  ["ses", "a changed body", () => changeBody(sns.sign(sesBounce(ADA)))],
  ["ses", "another SNS's key", () => providers.createSns().sign(sesBounce(ADA))],
  ["ses", "another host", withUrl("https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0.pem")],
  ["ses", "plain HTTP", withUrl(CERTIFICATE_URL.replace("https", "http"))],
  ["postmark", "another password", () => signPostmark(postmarkBounce(ADA), "another password of 20")],
  ["postmark", "no password", () => ({ ...signPostmark(postmarkBounce(ADA)), headers: {} })],
  ["resend", "an old time", () => signWebhook("svix", bounced(), { at: ago(6) })],
  ["resend", "a time ahead", () => signWebhook("svix", bounced(), { at: ago(-6) })],
  ["resend", "no signature", unsigned],
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
  expect((await context.db.pool.query("select from sign_ups where suppressed_at is not null")).rowCount).toBe(0);
});

describe("the certificate of an SES event", () => {
  const urls = async () =>
    (await context.db.selectFrom("sns_certificates").select("url").execute()).map(({ url }) => url);

  test("is noted by the server and fetched by the worker, from SNS only; events get 503 until then", async () => {
    await context.db.deleteFrom("sns_certificates").execute();
    await mailAda();
    const signed = sns.sign(sesBounce(ADA));
    expect(await post("ses", signed)).toBe(503);
    // Someone else's S3 bucket named sns.
    const other = "https://sns.s3.amazonaws.com/SimpleNotificationService-0.pem";
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
  context.logged.length = 0;
  const signed = { Type: "SubscriptionConfirmation", SubscribeURL, Token: "t" };
  expect(await post("ses", sns.sign("You have chosen to subscribe", { signed }))).toBe(204);
  expect(JSON.parse(context.logged.join(""))).toMatchObject({
    url: SubscribeURL,
    msg: "To get events from SNS, open this URL",
  });
});

/** Moves the signed text of a notification into other fields, so that it still matches its signature. */
function shift(url: string): Signed {
  const time = new Date().toISOString();
  const inner = `SubscribeURL\n${url}\nTimestamp\n${time}\nTopicArn\n${TOPIC}\nType\nSubscriptionConfirmation`;
  const { payload, headers } = sns.sign(`x\nMessageId\n1\n${inner}`);
  const { MessageId, Timestamp, ...rest } = JSON.parse(payload);
  const outer = `MessageId\n${MessageId}\nTimestamp\n${Timestamp}\nTopicArn\n${TOPIC}\nType\nNotification`;
  const fields = { Message: "x", MessageId: "1", SubscribeURL: url, Timestamp: time };
  return { payload: JSON.stringify({ ...rest, ...fields, Type: `SubscriptionConfirmation\n${outer}` }), headers };
}
const SUBSCRIBE = { Type: "SubscriptionConfirmation", Token: "t" };
const ask = (SubscribeURL: string) => sns.sign("Please", { signed: { ...SUBSCRIBE, SubscribeURL } });
const AMAZON = "https://sns.eu-west-1.amazonaws.com";
test.each<[string, number, () => Signed]>([
  ["with another type", 400, () => sns.sign("", { signed: { ...SUBSCRIBE, Type: "Notice", SubscribeURL: AMAZON } })],
  ["whose lines moved to other fields", 400, () => shift("https://evil.example/")],
  ["with a URL of two lines", 400, () => ask(`${AMAZON}/\nhttps://evil.example/`)],
  ["with a stranger's URL", 401, () => ask("https://evil.example/?sns.eu-west-1.amazonaws.com/")],
  ["with a URL on another host of Amazon", 401, () => ask("https://evil.s3.amazonaws.com/")],
  ["with Amazon's name as a password", 401, () => ask(`${AMAZON}:x@evil.example/`)],
])("an SNS message %s gets %i and logs no URL", async (_what, status, forge) => {
  context.logged.length = 0;
  const responded = await post("ses", forge());
  expect([context.logged, responded]).toEqual([[], status]);
});
