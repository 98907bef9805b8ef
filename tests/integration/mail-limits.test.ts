import { beforeEach, describe, expect, test } from "vitest";
import { createMailQueue } from "#core/mail/queue/choose-mails.ts";
import { recordOutcome } from "#core/mail/queue/deliveries.ts";
import { requestLink, stopConfirmations } from "#core/mail/queue/flag-mail.ts";
import { sendLink } from "#core/mail/queue/send-link.ts";
import { importSuppressions } from "#core/mail/suppression/suppressions.ts";
import { confirmAddress } from "#core/members/member.ts";
import { mailboxKey } from "#core/people/address.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { aSignUp, keyOf } from "#tests/support/sign-ups.ts";

const ADA = "ada@example.com";
const HOUR = 60;
const DAY = 24 * HOUR;
const mail = useMail();

let minute = 0;
let sent: { email: string; kind: string; minute: number }[] = [];
beforeEach(() => {
  minute = 0;
  sent = [];
});

const mailboxOf = (email: string) => mailboxKey(keyOf(email));
const minutesOf = (email: string, identify: (email: string) => string = keyOf) =>
  sent.filter((each) => identify(each.email) === identify(email)).map((each) => each.minute);
const find = (email: string) =>
  mail.db.selectFrom("sign_ups").selectAll().where("email_key", "=", keyOf(email)).executeTakeFirstOrThrow();
const join = (email: string, network = 1) => mail.join(aSignUp({ email }), `10.0.${network}.1`);
const askForLink = (email: string, network = 1) => requestLink(mail.db, MAIL_ON, keyOf(email), network);

/** Lets time pass, then sends due emails. */
async function pass(minutes: number): Promise<void> {
  await mail.pass(`${minutes} minutes`);
  minute += minutes;
  // Sends retries, then first attempts.
  for (const each of [...(await mail.deliver()), ...(await mail.deliver())]) sent.push({ ...each, minute });
}

describe("a stranger who signs up other spellings of an address", () => {
  /** Longer than a day, the longest that a mailbox stays at its limit. */
  const STEP = 25 * HOUR;
  const tag = (email: string, text: unknown) => email.replace("@", `+${text}@`);
  const flood =
    (email: string, first = 0) =>
    (step: number) =>
      step === first ? Array.from({ length: 60 }, (_, number) => tag(email, number)) : [];
  const daily = (email: string) => (step: number) => [tag(email, step)];
  /** Puts a separator after the letters whose bits are set in the step. */
  const separated = (separator: string, domain: string) => (step: number) => [
    `${[..."victim"].map((letter, place) => ((step + 1) & (1 << place) ? letter + separator : letter)).join("")}x@${domain}`,
  ];

  /** The owner's address, the stranger's addresses by step, and the step in which the owner joins, an hour later. */
  const VARIANTS: [what: string, owner: string, attack: (step: number) => string[], joins: number][] = [
    ["three tags", "v@a.example", (step) => (step ? [] : [1, 2, 3].map((text) => tag("v@a.example", text))), 1],
    ["a flood of tags", "v@b.example", flood("v@b.example"), 0],
    ["a tag a day", "v@c.example", daily("v@c.example"), 40],
    ["tags in tags", "v@d.example", daily("v+a@d.example"), 2],
    ["the same address", "v@e.example", () => ["v@e.example"], 9],
    ["upper case", "v@g.example", (step) => ["V@G.EXAMPLE", `V+X${step}@G.Example`], 1],
    ["an owner in upper case", "V@H.Example", daily("v@h.example"), 7],
    ["an encoded domain", "v@bücher.example", daily("v@xn--bcher-kva.example"), 1],
    ["an international name", "jürgen@i.example", daily("jürgen@i.example"), 36],
    ["dots", "victimx@gmail.com", separated(".", "gmail.com"), 30],
    ["Googlemail", "victim3@gmail.com", daily("victim3@googlemail.com"), 35],
    ["both domains", "victim4@googlemail.com", (step) => ["victim4@gmail.com", `victim4+${step}@gmail.com`], 38],
    ["a flood before an owner with a tag", "v+me@j.example", flood("v@j.example"), 9],
    ["a flood after an owner with a tag", "v+me@k.example", flood("v@k.example", 1), 0],
    ["a tag a day before an owner's", "v+me@l.example", (step) => (step < 30 ? [`v+${step}@l.example`] : []), 30],
    ["tags after an owner's", "v+me@m.example", (step) => (step > 3 ? [`v+${step}@m.example`] : []), 0],
  ];

  test("can't keep its owner from confirming, and causes at most 38 mails to a mailbox in 30 days, or 43 at Gmail", {
    timeout: 120_000,
  }, async () => {
    for (let step = 0; step * STEP < 45 * DAY; step += 1) {
      const attacks = VARIANTS.flatMap(([, , attack]) => attack(step));
      await Promise.all(attacks.flatMap((email, network) => [join(email, network), askForLink(email, network)]));
      await pass(0);
      await pass(HOUR);
      await Promise.all(VARIANTS.map(([, owner, , joins]) => joins === step && join(owner)));
      await pass(0);
      await pass(STEP - HOUR);
    }
    for (const [what, owner, , joins] of VARIANTS) {
      const isPlain = keyOf(owner).split("@")[0] === mailboxOf(owner).split("@")[0];
      expect(Math.min(...minutesOf(owner)) - joins * STEP - HOUR, what).toBeLessThanOrEqual(isPlain ? 0 : DAY);
      const minutes = minutesOf(owner, mailboxOf);
      const inMonth = minutes.map((from) => minutes.filter((at) => at >= from && at < from + 30 * DAY).length);
      expect(Math.max(...inMonth), what).toBeLessThanOrEqual(mailboxOf(owner).endsWith("@gmail.com") ? 43 : 38);
    }
  });

  test("causes only three mails at once to a mailbox at Proton, whatever the separators and domains", async () => {
    const spellings = Array.from({ length: 60 }, (_, step) => step).flatMap((step) => [
      ...separated("_", "proton.me")(step),
      ...separated("-", "pm.me")(step),
    ]);
    await Promise.all(spellings.map(join));
    await pass(0);
    expect(sent).toHaveLength(3);
  });

  test("can't keep a member from getting their link, by tags or by unsubscribing one", async () => {
    const members = [ADA, tag(ADA, "me")];
    for (const email of members) await join(email);
    await pass(0);
    await mail.db.updateTable("sign_ups").set({ confirmed_at: new Date() }).execute();
    for (const text of [1, 2, 3]) await join(tag(ADA, text));
    await pass(0);
    await stopConfirmations(mail.db, await find(tag(ADA, 1)));
    for (const email of members) await askForLink(email);
    await pass(0);
    expect(sent.filter(({ kind }) => kind === "link").map(({ email }) => email)).toEqual(members);
  });

  test("causes only one mail in 30 days after they stop, and doesn't delay anyone who asks again", async () => {
    for (const email of flood(ADA)(0)) await join(email);
    for (let passes = 0; passes < 8; passes += 1) await pass(5 * DAY);
    expect(minutesOf(ADA, mailboxOf).map((at) => at / DAY)).toEqual([5, 5, 5, 10, 40]);
    const late = flood(ADA)(0).find((email) => minutesOf(email).length === 0) ?? "";
    await askForLink(late);
    await pass(DAY + HOUR);
    expect(minutesOf(late)).toHaveLength(1);
  });
});

test.each<[string, (email: string) => Promise<unknown>]>([
  ["sign up again", join],
  ["ask for the link", askForLink],
  ["are sent it by an operator", async (email) => sendLink(mail.db, MAIL_ON, OPERATOR, (await find(email)).id)],
])("people get mail again in five minutes, an hour and a day, five in 30 days, if they %s", async (_how, again) => {
  const MINUTES = [0, 5, HOUR, DAY, DAY + 5, 30 * DAY];
  await join(ADA);
  await pass(0);
  for (const next of MINUTES.slice(1)) {
    for (const at of [next - 1, next, next]) {
      await pass(at - minute);
      await again(ADA);
      await pass(0);
    }
  }
  expect(minutesOf(ADA)).toEqual(MINUTES);
});

describe("an address that its mail server rejected", () => {
  beforeEach(() => join(ADA));

  test.each([
    ["signed up", join],
    ["sent its link", askForLink],
  ])("is tried again after 30 days when it is %s", async (_how, ask) => {
    await mail.deliver("bounced");
    for (const days of [0, 29, 1]) {
      expect((await mail.row()).suppressed_at).not.toBeNull();
      await pass(days * DAY);
      await ask(ADA);
      await pass(0);
    }
    expect(minutesOf(ADA)).toEqual([30 * DAY]);
    expect((await mail.row()).suppressed_at).toBeNull();
  });

  test("isn't tried again if an operator imported it", async () => {
    await pass(0);
    const file = async function* () {
      yield `email\n${ADA}\n`;
    };
    await importSuppressions(mail.db, OPERATOR, file(), "bounced");
    await pass(60 * DAY);
    await join(ADA);
    await askForLink(ADA);
    await pass(0);
    expect(sent).toHaveLength(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["was confirmed meanwhile", async () => confirmAddress(mail.db, (await find(ADA)).id)],
    ["was unsubscribed meanwhile", async () => stopConfirmations(mail.db, await find(ADA))],
  ])("isn't flagged if it %s", async (_what, change) => {
    const { mails } = await createMailQueue(mail.db, 10)(1);
    await change();
    for (const claimed of mails) await recordOutcome(mail.db, claimed, "bounced");
    expect(mails).toHaveLength(1);
    expect((await mail.row()).suppressed_at).toBeNull();
  });
});
