import { beforeEach, describe, expect, test } from "vitest";
import { stopConfirmations } from "#core/mail/flag-mail.ts";
import { mailboxKey } from "#core/mail/mailboxes.ts";
import { sendLink } from "#core/mail/send-link.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { emailKey } from "#core/sign-ups/email-key.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { createMailCalendar, type MailCalendar } from "#tests/support/mail-calendar.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
let mail: MailCalendar;
beforeEach(async () => {
  await emptyWaitlist(context.db);
  await recordConsentWording(context.db);
  mail = createMailCalendar(context.db);
});

const HOUR = 60;
const DAY = 24 * HOUR;
const keyOf = (address: string) => emailKey(address) ?? "";
const mailboxOf = (address: string) => mailboxKey(keyOf(address));
const minutesOf = (email: string, identify = keyOf) =>
  mail.sent.filter((one) => identify(one.email) === identify(email)).map(({ minute }) => minute);
const findPerson = (email: string) =>
  context.db.selectFrom("sign_ups").selectAll().where("email", "=", email).executeTakeFirstOrThrow();
const confirm = () => context.db.updateTable("sign_ups").set({ confirmed_at: new Date() }).execute();

describe("a stranger who signs up other spellings of someone's address", () => {
  /** The next slot of a mailbox is at most a day away. */
  const STEP = 25 * HOUR;
  const STEPS = (60 * DAY) / STEP;

  type Attack = (step: number) => string[];
  const tags =
    (address: string, count = 60): Attack =>
    (step) =>
      step === 0 ? Array.from({ length: count }, (_, tag) => address.replace("@", `+x${tag}@`)) : [];
  const tagsForever =
    (address: string): Attack =>
    (step) => [address.replace("@", `+${step}@`)];
  const dotsForever =
    (name: string): Attack =>
    (step) => [
      `${[...name].map((letter, place) => ((step + 1) & (1 << place) ? `${letter}.` : letter)).join("")}@gmail.com`,
    ];

  const VARIANTS: [what: string, owner: string, attack: Attack, joins: number][] = [
    ["three tags", "v@a.example", tags("v@a.example", 3), 1],
    ["a flood of tags", "v@b.example", tags("v@b.example"), 0],
    ["a tag a day", "v@c.example", tagsForever("v@c.example"), 55],
    ["tags in tags", "v@d.example", (step) => [`v+a+${step}+b@d.example`], 2],
    ["the same address", "v@e.example", () => ["v@e.example"], 9],
    ["the same address and tags", "v@f.example", (step) => ["v@f.example", `v+${step}@f.example`], 9],
    ["upper case", "v@g.example", (step) => ["V@G.EXAMPLE", `V+X${step}@G.Example`], 1],
    ["an owner in upper case", "V@H.Example", tagsForever("v@h.example"), 7],
    ["an encoded domain", "v@bücher.example", tagsForever("v@xn--bcher-kva.example"), 1],
    ["an owner's encoded domain", "v@xn--mnchen-3ya.example", tagsForever("v@München.example"), 1],
    ["an international name", "jürgen@i.example", tagsForever("jürgen@i.example"), 40],
    ["dots", "victimone@gmail.com", dotsForever("victimone"), 30],
    ["dots and tags", "victimtwo@gmail.com", (step) => [`victim.two+${step}@gmail.com`], 1],
    ["Googlemail", "victim3@gmail.com", tagsForever("victim3@googlemail.com"), 50],
    ["both domains", "victim4@googlemail.com", (step) => ["victim4@gmail.com", `victim4+${step}@gmail.com`], 50],
    ["a flood before an owner with dots", "victim.five@gmail.com", tags("victimfive@gmail.com"), 1],
    ["a flood before an owner with a tag", "v+me@j.example", tags("v@j.example"), 9],
    [
      "dots before an owner's",
      "vic.timsix@googlemail.com",
      (step) => (step < 9 ? dotsForever("victimsix")(step) : []),
      9,
    ],
    ["a tag a day before an owner's", "v+me@l.example", (step) => (step < 30 ? [`v+${step}@l.example`] : []), 30],
    [
      "two tags after an owner's",
      "v+me@m.example",
      (step) => (step === 3 ? ["v+1@m.example", "v+2@m.example"] : []),
      0,
    ],
  ];

  test("keeps no owner from confirming, and has their mailbox get at most 38 mails in 30 days, or 43 at Gmail", {
    timeout: 120_000,
  }, async () => {
    for (let step = 0; step < STEPS; step += 1) {
      const attacks = VARIANTS.flatMap(([, , attack]) => attack(step));
      await Promise.all(
        attacks.flatMap((email, network) => [mail.join(email, network), mail.askForLink(email, network)]),
      );
      await Promise.all(VARIANTS.map(([, owner, , joins]) => joins === step && mail.join(owner, -1)));
      await mail.pass(0);
      await mail.pass(STEP);
    }
    for (const [what, owner, , joins] of VARIANTS) {
      const isPlain = mailboxOf(owner).split("@", 1)[0] === keyOf(owner).split("@", 1)[0];
      const wait = Math.min(...minutesOf(owner)) - joins * STEP;
      expect(wait, what).toBeLessThanOrEqual(isPlain ? 0 : STEP);
      const minutes = minutesOf(owner, mailboxOf);
      const inMonth = minutes.map((from) => minutes.filter((at) => at >= from && at < from + 30 * DAY).length);
      expect(Math.max(...inMonth), what).toBeLessThanOrEqual(mailboxOf(owner).endsWith("@gmail.com") ? 43 : 38);
    }
  });

  test("keeps no member from getting their link, by tags or by unsubscribing from one", async () => {
    await mail.join("v@example.com");
    await mail.join("v+me@example.com");
    await mail.pass(0);
    await confirm();
    for (const tag of [1, 2, 3, 4]) await mail.join(`v+${tag}@example.com`);
    await mail.pass(0);
    await stopConfirmations(context.db, await findPerson("v+1@example.com"));
    for (const email of ["v@example.com", "v+me@example.com"]) await mail.askForLink(email);
    await mail.pass(0);
    expect(mail.sent.filter(({ kind }) => kind === "link").map(({ email }) => email)).toEqual([
      "v@example.com",
      "v+me@example.com",
    ]);
  });

  const twenty = Array.from({ length: 20 }, (_, tag) => `v+${tag}@example.com`);

  test("holds up nobody who asks again", async () => {
    for (const email of twenty) await mail.join(email);
    await mail.pass(0);
    await mail.pass(DAY + HOUR);
    const late = twenty.find((email) => minutesOf(email).length === 0) ?? "";
    await mail.askForLink(late);
    await mail.pass(DAY);
    expect(minutesOf(late)).toEqual([2 * DAY + HOUR]);
  });

  test("has a mailbox get one mail in 30 days once the stranger has stopped", async () => {
    for (const email of twenty) await mail.join(email);
    for (let passes = 0; passes < 20; passes += 1) await mail.pass(5 * DAY);
    expect(minutesOf("v@example.com", mailboxOf).map((minute) => minute / DAY)).toEqual([5, 5, 5, 10, 40, 70, 100]);
  });
});

describe("another email to the same address", () => {
  const MINUTES = [0, 5, HOUR, DAY, DAY + 5, 30 * DAY];
  const again: Record<string, (email: string) => Promise<unknown>> = {
    "sign up again": (email) => mail.join(email),
    "ask for the link": (email) => mail.askForLink(email),
    "are sent it by an operator": async (email) => sendLink(context.db, OPERATOR, (await findPerson(email)).id),
  };

  test.each(Object.keys(again))(
    "follows in five minutes, an hour and a day, five in 30 days, if they %s",
    async (how) => {
      await mail.join("ada@example.com");
      await mail.pass(0);
      for (const minute of MINUTES.slice(1)) {
        await mail.pass(minute - 1 - mail.minute());
        await again[how]?.("ada@example.com");
        await mail.pass(1);
        await again[how]?.("ada@example.com");
        await mail.pass(0);
      }
      expect(minutesOf("ada@example.com")).toEqual(MINUTES);
    },
  );

  test("follows for members too, who got their confirmation a moment ago", async () => {
    await mail.join("ada@example.com");
    await mail.pass(0);
    await confirm();
    for (const minutes of [0, 4, 1, 54, 1]) {
      await mail.pass(minutes);
      await mail.askForLink("ada@example.com");
      await mail.pass(0);
    }
    expect(minutesOf("ada@example.com")).toEqual([0, 0, 5, HOUR]);
  });
});

test("someone who unsubscribes gets no confirmation at any spelling, and at this one never", async () => {
  await mail.join("v+1@gmail.com");
  await mail.pass(0);
  await stopConfirmations(context.db, await findPerson("v+1@gmail.com"));
  const all = ["v+1@gmail.com", "v+2@gmail.com", "v@gmail.com", "v@googlemail.com", "v.@gmail.com"];
  for (let day = 0; day < 28; day += 7) {
    for (const email of all) await mail.join(email);
    await mail.pass(7 * DAY - HOUR);
  }
  expect(mail.sent).toHaveLength(1);
  await mail.pass(31 * DAY);
  for (const email of all) await mail.join(email);
  await mail.pass(0);
  expect(minutesOf("v+1@gmail.com")).toEqual([0]);
});
