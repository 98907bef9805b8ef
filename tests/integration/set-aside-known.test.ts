// Everything but the list goes on knowing someone who is set aside.
import { beforeAll, expect, test } from "vitest";
import { ACCEPTED_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { makeAcceptanceSecret } from "#core/invitations/acceptance-secrets.ts";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { readTakenBack } from "#core/invitations/wave-results.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { createToken } from "#core/links/links.ts";
import { applyEvent } from "#core/mail/events/apply-event.ts";
import { editQuestion } from "#core/members/edit-questions.ts";
import { confirmAddress } from "#core/members/member.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { verifyTotals } from "#core/people/totals.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { importPeople, previewImport } from "#core/transfer/import.ts";
import { addEndpoint } from "#core/webhooks/endpoints.ts";
import { claimEvents } from "#core/webhooks/events.ts";
import { acceptance, invitationsBy, sign, tokenFor } from "#tests/support/acceptances.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { inDays, SECRET } from "#tests/support/members.ts";
import { addQuestions, answerAs, TEAM_SIZE } from "#tests/support/questions.ts";
import { setAllAside } from "#tests/support/set-aside.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const invitations = invitationsBy();
const context = useTestApp({ invitations });
const { aMember, press, rows, post } = context;
const EMAIL = "ada+tag@example.com";
const keys = createKeys(SECRET);

beforeAll(() => recordConsentWording(context.db));

/** A subscriber, and the paths of their page and of the unsubscribe link in their emails. */
async function aSubscriber({ isConfirmed = false } = {}) {
  const page = await aMember({ email: EMAIL, company: "Acme", newsletter: true });
  const [member] = await rows();
  if (!member) throw new Error("Nobody joined");
  if (isConfirmed) await confirmAddress(context.db, member.id);
  const link = `${UNSUBSCRIBE_PATH}/${createToken("unsubscribe", keys, member, inDays(300))}`;
  return { ...member, page, link };
}

const setAside = () => setAllAside(context.db);
const signUpAgain = () => post(aSignUp({ email: EMAIL }));
const ledger = () => context.db.selectFrom("consents").select(["given", "at"]).orderBy("at").execute();
const events = async () =>
  (await context.db.selectFrom("webhook_events").select("type").orderBy("id").execute()).map(({ type }) => type);
const addDelivery = (id: string, state = "sent") =>
  context.db.pool.query(
    "insert into deliveries (message_id, sign_up_id, state, sent_at, tried_at) values (1, $1, $2, now(), now())",
    [id, state],
  );
const confirmation = () => context.db.selectFrom("deliveries").select(["state", "reason"]).execute();
const isExact = async () => (await verifyTotals(context.db)).exact;

test("a stranger who signs up a member who is set aside gets 409, and doesn't lock the member out", async () => {
  const { id, page } = await aSubscriber({ isConfirmed: true });
  const bringBack = await setAside();
  expect((await signUpAgain()).statusCode).toBe(409);
  expect(await rows()).toMatchObject([{ id, first_name: "Ada", set_aside_at: expect.any(Date) }]);
  expect((await context.app.inject(page)).body).toContain("set it aside");
  expect((await context.app.inject(`${page}/data`)).statusCode).toBe(200);
  expect(await bringBack()).toBe(1);
  expect(await rows()).toMatchObject([{ id, confirmed_at: expect.any(Date), set_aside_at: null }]);
  expect(await isExact()).toBe(true);
});

test("a complaint is remembered when its sender is set aside and signed up again, and counts while they are", async () => {
  const { id } = await aSubscriber();
  const complain = () => applyEvent(context.db, "ses", { email: EMAIL, kind: "complaint", at: new Date() });
  const complained = { newsletter: false, suppressed_at: expect.any(Date), mail_network: null };
  await addDelivery(id);
  const bringBack = await setAside();
  await complain();
  expect(await rows()).toMatchObject([complained]);
  expect((await signUpAgain()).statusCode).toBe(409);
  await bringBack();
  expect(await rows()).toMatchObject([complained]);
  await setAside();
  expect((await signUpAgain()).statusCode).toBe(409);
  expect(await rows()).toMatchObject([complained]);
});

test("someone who unsubscribed, was set aside and is in an imported file stays unsubscribed", async () => {
  const { link } = await aSubscriber({ isConfirmed: true });
  await press(link);
  await setAside();
  const found = await previewImport(context.db, keys, `email,name\n${EMAIL},Ada Lovelace\n`, "Fair");
  if ("unreadable" in found) throw new Error(found.unreadable);
  expect(found.rows).toMatchObject([{ finding: "unsubscribed" }]);
  const imported = found.rows.map((row) => ({ ...row, finding: "new" as const }));
  expect(await importPeople(context.db, OPERATOR, imported, { wording: "News?", mail: undefined })).toBe(0);
  expect(await rows()).toMatchObject([{ newsletter: false, utm: null }]);
});

test("an answer keeps its meaning, because nobody can remove its choice while the member is set aside", async () => {
  await aSubscriber({ isConfirmed: true });
  const [size] = await addQuestions(context.db, TEAM_SIZE);
  if (!size) throw new Error("No question");
  await answerAs(context.db, EMAIL, { [size.id]: [2] });
  const bringBack = await setAside();
  const choices = ["", ...size.choices.slice(1)];
  const edit = editQuestion(context.db, OPERATOR, size.id, size.version, { ...size, choices });
  expect(await edit).toBe("answered");
  await bringBack();
  expect(await rows()).toMatchObject([{ answers: { [size.id]: [2] } }]);
});

test("an invitation can be used, and taken back, while its owner is set aside", async () => {
  await aSubscriber({ isConfirmed: true });
  const { id: wave } = await inviteNext(context.db, OPERATOR, {}, 1);
  const { secret } = await makeAcceptanceSecret(context.db, OPERATOR);
  await setAside();
  const [member] = await rows();
  if (!member) throw new Error("Missing");
  const { payload, headers } = sign(acceptance(await tokenFor(member)), secret);
  const report = () => context.app.inject({ method: "POST", url: ACCEPTED_PATH, payload, headers });
  expect((await report()).statusCode).toBe(200);
  expect(await rows()).toMatchObject([{ accepted_at: expect.any(Date) }]);

  await context.db.pool.query("update sign_ups set accepted_at = null");
  expect(await uninviteWave(context.db, OPERATOR, wave)).toBe(1);
  expect(await readTakenBack(context.db, keys, wave)).toHaveLength(1);
  expect((await report()).statusCode).toBe(409);
});

test("events from before are sent while someone is set aside, and setting aside causes none", async () => {
  await aSubscriber({ isConfirmed: true });
  await context.db.pool.query("update sign_ups set invited_at = now()");
  await addEndpoint(context.db, OPERATOR, { url: "https://crm.example/", sends: "contact" });
  await context.db.pool.query("update webhook_endpoints set cursor = 0");
  const bringBack = await setAside();
  expect(await claimEvents(context.db)).toMatchObject([{ type: "person.confirmed", contact: { email: EMAIL } }]);
  await bringBack();
  expect(await events()).toEqual(["person.confirmed", "person.invited"]);
});

test.each([
  ["a mail provider's one-click request", "List-Unsubscribe=One-Click"],
  ["the button on the link's page", ""],
])("a confirmed person who is signed up again and unsubscribes by %s comes back unsubscribed", async (_how, body) => {
  const { link } = await aSubscriber({ isConfirmed: true });
  const bringBack = await setAside();
  expect((await signUpAgain()).statusCode).toBe(409);
  expect((await context.app.inject(link)).body).toContain("<button");
  const response = await press(link, body);
  expect(response).toMatchObject({ statusCode: 200, body: expect.stringContaining("You&#39;re unsubscribed") });
  expect((await context.app.inject(link)).body).toBe(response.body);

  expect(await bringBack()).toBe(1);
  expect(await rows()).toMatchObject([{ newsletter: false }]);
  expect((await ledger()).map(({ given }) => given)).toEqual([true, false]);
  expect(await events()).toEqual(["person.confirmed", "person.unsubscribed"]);
  expect(await verifyConsents(context.db)).toEqual({ orphans: 0, withoutWording: 0, contradictions: 0 });
});

test.each(["no", "a pending", "a failed", "a sent"])(
  "an unconfirmed person with %s confirmation who unsubscribes while they are set aside is never asked again",
  async (which) => {
    const { id, link } = await aSubscriber();
    const state = which.split(" ")[1];
    if (state) await addDelivery(id, state);
    else await context.db.pool.query("update sign_ups set mail_network = 7");
    const bringBack = await setAside();
    await press(link);
    expect(await context.db.selectFrom("mailboxes").select("unsubscribed_at").execute()).toHaveLength(1);
    await bringBack();
    expect(await rows()).toMatchObject([{ newsletter: false, mail_network: null }]);
    expect(await confirmation()).toEqual([{ state: state === "sent" ? "sent" : "skipped", reason: "unsubscribed" }]);
  },
);
