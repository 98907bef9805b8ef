import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { readActivity } from "#core/activity/activity.ts";
import { createKeys } from "#core/config/keys.ts";
import { makeAcceptanceSecret } from "#core/invitations/acceptance-secrets.ts";
import { uninvitePerson, uninviteWave } from "#core/invitations/uninvite.ts";
import { createWave, inviteNext, invitePerson } from "#core/invitations/waves.ts";
import { retryFailed } from "#core/mail/queue/deliveries.ts";
import { sendLink } from "#core/mail/queue/send-link.ts";
import { importSuppressions, suppressionsFile } from "#core/mail/suppression/suppressions.ts";
import { editPerson } from "#core/members/edit.ts";
import { setNewsletter } from "#core/members/member.ts";
import * as states from "#core/messages/message-states.ts";
import { erase } from "#core/retention/erase.ts";
import { readErasures, reapplyErasures } from "#core/retention/erasures.ts";
import { purge } from "#core/retention/purge.ts";
import { dropQuarantined, release } from "#core/sign-ups/quarantine.ts";
import { type ExportRequest, exportFile } from "#core/transfer/export-file.ts";
import { changeMessage, createMessage, editMessage, prepareMessage } from "#tests/support/accepted.ts";
import { sentences } from "#tests/support/activity.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { NEWS } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { keyOf } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();
const keys = createKeys("a secret of at least 32 characters");
const ADA = "ada@example.com";

let db: typeof context.db;
let ada: string;
beforeEach(async () => {
  db = context.db;
  ada = await addPerson(ADA);
});

const addPerson = async (email: string) => (await addPeople(db, [{ email }]))[0] ?? "";
const eraseBy = (actor: typeof OPERATOR | null, email: string) => erase(db, actor, keyOf(email), keys);

/** The activity's sentences, newest first, with # for ids, which differ between runs. */
const texts = async () => (await sentences(db)).map((text) => text.replace(/wave \d+/g, "wave #"));

async function addQuarantined(age = "0 days"): Promise<string> {
  const { rows } = await db.pool.query(
    `insert into quarantine (email_key, email, first_name, last_name, newsletter, website, caught_at)
     values ('bot@example.com', 'bot@example.com', 'B', 'T', false, 'x', now() - $1::interval) returning id`,
    [age],
  );
  return rows[0].id;
}

/** Invites people without recording activity, and returns the wave. */
async function markInvited(): Promise<string> {
  const { id } = await createWave(db);
  await db.pool.query("update sign_ups set invited_at = now(), wave_id = $1", [id]);
  return id;
}

const exported = (request: Partial<ExportRequest> = {}) =>
  text(exportFile(db, OPERATOR, { filter: {}, format: "csv", ...request }));
const CHANGES: [text: string, change: () => Promise<unknown>][] = [
  [`edited ${ADA}`, () => editPerson(db, OPERATOR, ada, { firstName: "A", lastName: "K", company: "Acme" })],
  [`unsubscribed ${ADA}`, () => setNewsletter(db, OPERATOR, ada, false)],
  [`emailed a member link to ${ADA}`, () => sendLink(db, MAIL_ON, OPERATOR, ada)],
  [`invited ${ADA} (wave #)`, () => invitePerson(db, OPERATOR, ada)],
  ["invited 1 person (wave #)", () => inviteNext(db, OPERATOR, {}, 10)],
  ["erased someone who was on the list", () => eraseBy(OPERATOR, ADA)],
  ["erased someone from quarantine", () => addQuarantined().then(() => eraseBy(OPERATOR, "bot@example.com"))],
  ["released 1 entry from quarantine", async () => release(db, OPERATOR, [await addQuarantined()], undefined)],
  ["dropped 1 entry from quarantine", async () => dropQuarantined(db, OPERATOR, [await addQuarantined()])],
  ["exported 1 person", () => exported()],
  ["exported 1 person with links to their pages", () => exported({ linkOf: () => "https://x.test" })],
  [`uninvited ${ADA}`, () => markInvited().then(() => uninvitePerson(db, OPERATOR, ada))],
  ["uninvited 1 person (wave #)", async () => uninviteWave(db, OPERATOR, await markInvited())],
  ["made a secret for used invitations", () => makeAcceptanceSecret(db, OPERATOR)],
  ["drafted “News”", () => createMessage(db, OPERATOR, NEWS)],
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
      await purge(db, OPERATOR, { LAUNCH_DATE: "2020-02-01", BACKUP_DAYS: 14 }, new Date());
    },
  ],
  [
    "erased 2 people again after a restore",
    async () => {
      await addPerson("bob@example.com");
      for (const email of [ADA, "bob@example.com"]) await eraseBy(null, email);
      const erasures = await readErasures(db);
      for (const email of [ADA, "bob@example.com"]) await addPerson(email);
      await db.pool.query("update sign_ups set joined_at = '2020-01-01'");
      await reapplyErasures(db, OPERATOR, keys, erasures);
    },
  ],
  [
    "retried 1 failed email",
    async () => {
      await db.pool.query("insert into deliveries (message_id, sign_up_id, state) values (2, $1, 'failed')", [ada]);
      await retryFailed(db, OPERATOR);
    },
  ],
];

describe("a change by an operator", () => {
  test.each(CHANGES)("leaves one entry: %s", async (sentence, change) => {
    await change();
    expect(await texts()).toEqual([sentence]);
    expect((await readActivity(db, { limit: 1 })).entries).toMatchObject([{ actor: "ada", via: "command line" }]);
  });

  test("leaves an entry for each step of a message, and one for its invitations", async () => {
    const draft = await createMessage(db, OPERATOR, { ...NEWS, kind: "invitation" });
    const { id } = await editMessage(db, OPERATOR, draft, { subject: "Better" });
    await prepareMessage(db, OPERATOR, id);
    for (const step of ["start", "pause", "resume", "cancel"] as const) await changeMessage(db, OPERATOR, id, step);
    expect(await texts()).toEqual([
      "canceled “Better” (wave #)",
      "resumed “Better” (wave #)",
      "paused “Better” (wave #)",
      "started sending “Better” to 1 person (wave #)",
      "invited 1 person (wave #, “Better”)",
      "edited “Better”",
      "drafted “News”",
    ]);
  });

  test("says how many invitations of a wave were taken back since", async () => {
    await addPerson("bob@example.com");
    const wave = await inviteNext(db, OPERATOR, {}, 2);
    await uninviteWave(db, OPERATOR, wave.id);
    expect(await texts()).toEqual([
      "uninvited 2 people (wave #)",
      "invited 2 people (wave #, 2 invitations taken back since)",
    ]);
  });

  test("keeps the subject of its day", async () => {
    const draft = await createMessage(db, OPERATOR, { ...NEWS, subject: "First thought" });
    await editMessage(db, OPERATOR, draft, { subject: "Second thought" });
    expect(await texts()).toEqual(["edited “Second thought”", "drafted “First thought”"]);
  });

  test("leaves one entry with the sum of its chunks, or of those before it is interrupted", async () => {
    await addMany(db, 3000);
    await inviteNext(db, OPERATOR, {}, 1500);
    const interrupted = inviteNext(db, OPERATOR, {}, 1500, () => {
      throw new Error("the connection is gone");
    });
    await expect(interrupted).rejects.toThrow("the connection is gone");
    expect(await texts()).toEqual(["invited 100 people (wave #)", "invited 1,500 people (wave #)"]);
  });

  test("leaves no entry if it changes nothing, is refused or is made by the person", async () => {
    await setNewsletter(db, null, ada, false);
    await setNewsletter(db, OPERATOR, ada, false);
    await uninvitePerson(db, OPERATOR, ada);
    await uninviteWave(db, OPERATOR, "99");
    await release(db, OPERATOR, ["99"], undefined);
    await dropQuarantined(db, OPERATOR, ["99"]);
    await eraseBy(OPERATOR, "nobody@example.com");
    await editPerson(db, OPERATOR, "99", { firstName: "A", lastName: "K", company: "" });
    await purge(db, OPERATOR, { BACKUP_DAYS: 14 }, new Date());
    await exported({ filter: { company: "Nobody" } });
    expect(await states.changeMessage(db, OPERATOR, "99", "pause")).toMatchObject({ refused: "illegal" });
    // Members change their own data without an operator.
    await editPerson(db, null, ada, { firstName: "A", lastName: "K", company: "" });
    await eraseBy(null, ADA);
    expect(await texts()).toEqual([]);
  });
});
