import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readActivity } from "#core/activity.ts";
import { createKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { uninvitePerson, uninviteWave } from "#core/invitations/uninvite.ts";
import { inviteNext, invitePerson } from "#core/invitations/waves.ts";
import { retryFailed } from "#core/mail/deliveries.ts";
import { fillMailbox } from "#core/mail/mailboxes.ts";
import { sendLink } from "#core/mail/send-link.ts";
import { setNewsletter } from "#core/members/member.ts";
import { pauseMessage } from "#core/messages/message-states.ts";
import { createMessage } from "#core/messages/messages.ts";
import { editPerson } from "#core/people/edit.ts";
import { type ExportRequest, exportFile } from "#core/people/export-file.ts";
import { importSuppressions, suppressionsFile } from "#core/people/suppressions.ts";
import { addressHash, erase } from "#core/retention/erase.ts";
import { readErasures, reapplyErasures } from "#core/retention/erasures.ts";
import { purge } from "#core/retention/purge.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { dropQuarantined, release } from "#core/sign-ups/quarantine.ts";
import { readTexts } from "#tests/support/activity-texts.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { NEWS } from "#tests/support/messages.ts";
import { addPeople } from "#tests/support/people.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const keys = createKeys("a secret of at least 32 characters");
const ADA = "ada@example.com";

let db: Database;
let ada: string;
beforeAll(async () => {
  db = context.db;
  await recordConsentWording(db);
});
beforeEach(async () => {
  await emptyWaitlist(db);
  ada = await addPerson(ADA);
});

const addPerson = async (email: string) => (await addPeople(db, [{ email }]))[0] ?? "";
const texts = () => readTexts(db);

async function addQuarantined(age = "0 days"): Promise<string> {
  const { rows } = await db.pool.query(
    `insert into quarantine (email_key, email, first_name, last_name, newsletter, website, caught_at)
     values ('bot@example.com', 'bot@example.com', 'B', 'T', false, 'x', now() - $1::interval) returning id`,
    [age],
  );
  return rows[0].id;
}

const EXPORT: ExportRequest = { filter: {}, format: "csv" };
const CHANGES: [text: string, change: () => Promise<unknown>][] = [
  [`edited ${ADA}`, () => editPerson(db, OPERATOR, ada, { firstName: "A", lastName: "K", company: "Acme" })],
  [`unsubscribed ${ADA}`, () => setNewsletter(db, OPERATOR, ada, false)],
  [`emailed a member link to ${ADA}`, () => sendLink(db, OPERATOR, ada)],
  [`invited ${ADA} (wave #)`, () => invitePerson(db, OPERATOR, ada)],
  ["invited 1 person (wave #)", () => inviteNext(db, OPERATOR, {}, 10)],
  ["erased someone who was on the list", () => erase(db, OPERATOR, ADA, addressHash(keys, ADA))],
  [
    "erased someone from quarantine",
    async () => {
      await addQuarantined();
      await erase(db, OPERATOR, "bot@example.com", addressHash(keys, "bot@example.com"));
    },
  ],
  ["released 1 entry from quarantine", async () => release(db, OPERATOR, [await addQuarantined()], false)],
  ["dropped 1 entry from quarantine", async () => dropQuarantined(db, OPERATOR, [await addQuarantined()])],
  ["exported 1 person", () => text(exportFile(db, OPERATOR, EXPORT, () => {}))],
  [
    "exported 1 person with links to their pages",
    () => text(exportFile(db, OPERATOR, { ...EXPORT, linkOf: () => "https://x.test" }, () => {})),
  ],
  [
    "imported suppressions for 1 person",
    () => importSuppressions(db, OPERATOR, Readable.from([`email\n${ADA}\n`]), "unsubscribed"),
  ],
  [
    "exported 1 suppression",
    async () => {
      await setNewsletter(db, null, ada, false);
      expect(await text(suppressionsFile(db, OPERATOR, () => {}))).toContain(ADA);
    },
  ],
  [
    "purged 2 expired records",
    async () => {
      await db.pool.query("update sign_ups set joined_at = '2020-01-01'");
      await addQuarantined("40 days");
      await purge(db, OPERATOR, { launchDate: "2020-02-01", unconfirmedSince: undefined, backupDays: 14 }, new Date());
    },
  ],
  [
    "erased 2 people again after a restore",
    async () => {
      await addPerson("bob@example.com");
      for (const email of [ADA, "bob@example.com"]) await erase(db, null, email, addressHash(keys, email));
      const erasures = await readErasures(db);
      for (const email of [ADA, "bob@example.com"]) await addPerson(email);
      await db.pool.query("update sign_ups set joined_at = '2020-01-01'");
      await reapplyErasures(db, OPERATOR, keys, erasures, () => {});
    },
  ],
  ["drafted message #", () => createMessage(db, OPERATOR, NEWS)],
  [
    "retried 1 failed email",
    async () => {
      await db.pool.query("insert into deliveries (message_id, sign_up_id, state) values (2, $1, 'failed')", [ada]);
      await retryFailed(db, OPERATOR);
    },
  ],
];

test.each(CHANGES)("leaves one entry: %s", async (sentence, change) => {
  await change();
  expect(await texts()).toEqual([sentence]);
  expect((await readActivity(db, { limit: 1 })).entries).toMatchObject([{ actor: "ada", via: "command line" }]);
});

test("what changes nothing, or is refused, leaves no entry", async () => {
  await setNewsletter(db, null, ada, false);
  await setNewsletter(db, OPERATOR, ada, false);
  await uninvitePerson(db, OPERATOR, ada);
  await uninviteWave(db, OPERATOR, "99");
  await release(db, OPERATOR, ["99"], false);
  await dropQuarantined(db, OPERATOR, ["99"]);
  await erase(db, OPERATOR, "nobody@example.com", addressHash(keys, "nobody@example.com"));
  await editPerson(db, OPERATOR, "99", { firstName: "A", lastName: "K", company: "" });
  await purge(db, OPERATOR, { launchDate: undefined, unconfirmedSince: undefined, backupDays: 14 }, new Date());
  await expect(pauseMessage(db, OPERATOR, "99")).rejects.toThrow();
  expect(await texts()).toEqual([]);
});

test("what people do on their own page leaves no entry", async () => {
  await editPerson(db, null, ada, { firstName: "A", lastName: "K", company: "" });
  await setNewsletter(db, null, ada, false);
  await erase(db, null, ADA, addressHash(keys, ADA));
  expect(await texts()).toEqual([]);
});

describe("a link that an operator sends", () => {
  const delivered = (message: number, { copies = 1, age = "2 days" } = {}) =>
    db.pool.query(
      `insert into deliveries (message_id, sign_up_id, state, copies, tried_at)
       values ($1, $2, 'sent', $3, now() - $4::interval)`,
      [message, ada, copies, age],
    );

  test("is due for the mail workers, once", async () => {
    expect(await sendLink(db, OPERATOR, ada)).toBeUndefined();
    expect(await db.selectFrom("sign_ups").select("mail_due").executeTakeFirst()).toEqual({ mail_due: true });
    expect(await sendLink(db, OPERATOR, ada)).toBe("pending");
    expect(await texts()).toHaveLength(1);
  });

  test.each([
    ["rejected", () => db.pool.query("update sign_ups set rejected_at = now()")],
    ["recent", () => delivered(2, { age: "23 hours" })],
    ["limit", () => fillMailbox(db, ADA)],
    [
      "limit",
      async () => {
        await db.pool.query("update sign_ups set confirmed_at = null");
        await delivered(1, { copies: 3, age: "60 days" });
      },
    ],
    ["missing", () => db.pool.query("delete from sign_ups")],
  ])("is refused: %s", async (refusal, given) => {
    await given();
    expect(await sendLink(db, OPERATOR, ada)).toBe(refusal);
    expect(await texts()).toEqual([]);
  });
});
