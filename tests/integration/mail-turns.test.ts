import { beforeEach, expect, test } from "vitest";
import { createMailQueue } from "#core/mail/choose-mails.ts";
import { sendLink } from "#core/mail/send-link.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { createMailCalendar, type MailCalendar } from "#tests/support/mail-calendar.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const OTHERS = Array.from({ length: 300 }, (_, number) => `other${number}@example.com`);
let mail: MailCalendar;
beforeEach(async () => {
  await emptyWaitlist(context.db);
  await recordConsentWording(context.db);
  mail = createMailCalendar(context.db);
  await Promise.all(OTHERS.map((email) => mail.join(email)));
  await mail.join("ada@example.com");
  await mail.pass(0);
  await mail.pass(24 * 60);
});

const firstFive = async () => (await createMailQueue(context.db, 1000)(5)).mails.map(({ email }) => email);
const sendLinks = async () => {
  const people = await context.db.selectFrom("sign_ups").select("id").where("email", "in", OTHERS).execute();
  for (const { id } of people) expect(await sendLink(context.db, OPERATOR, id)).toBeUndefined();
};

test.each<[string, () => Promise<unknown>]>([
  ["hundreds sign up again from another network", () => Promise.all(OTHERS.map((email) => mail.join(email, 7)))],
  ["an operator sends hundreds of people their link", sendLinks],
])("someone who signs up again is among the first when %s", async (_what, flagOthers) => {
  await flagOthers();
  await mail.join("ada@example.com", 9);
  expect(await firstFive()).toContain("ada@example.com");
});
