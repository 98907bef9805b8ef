import { describe, expect, test } from "vitest";
import { uninvitePerson } from "#core/invitations/uninvite.ts";
import { readWaveResults } from "#core/invitations/wave-results.ts";
import * as audiences from "#core/messages/audience.ts";
import * as messages from "#core/messages/messages.ts";
import { type Draft, type Message, readMessage } from "#core/messages/messages.ts";
import * as drafts from "#core/messages/send-draft.ts";
import { createMessage, editMessage, prepareMessage, sendDraft } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { audienceOf, NEWS, prepareNews } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

const create = (changes: Partial<Draft> = {}) => createMessage(context.db, OPERATOR, { ...NEWS, ...changes });
const prepared = (changes: Partial<Draft> = {}) => prepareNews(context.db, changes);
const read = async (id: string) => (await readMessage(context.db, id)) as Message;

const everyKind = [
  { email: "yes@example.com" },
  { email: "unsubscribed@example.com", newsletter: false },
  { email: "unconfirmed@example.com", confirmed: false },
  { email: "suppressed@example.com", suppressed: true },
  { email: "invited@example.com", invited: true },
  { email: "other@example.com", company: "Acme" },
];

describe("a message", () => {
  test.each([
    ["an unknown placeholder", { body: "Hi {{nickname}}" }],
    ["an invite URL, in an announcement", { body: "[Accept]({{inviteUrl}})" }],
    ["an invite URL that nobody supplies", { kind: "invitation" as const, body: "{{inviteUrl}}" }],
    ["a pace of zero", { pace: { count: 0, unit: "day" as const } }],
    ["an announcement to the next people", { audience: { next: 3 } }],
    ["an announcement to people who aren't subscribed", { audience: { newsletter: false } }],
    ["an invitation to people who are invited", { kind: "invitation" as const, audience: { invited: true } }],
    ["an image", { body: "Look: ![a cat](https://example.com/cat.png)" }],
  ])("isn't saved with %s", async (_what, changes) => {
    expect(await messages.createMessage(context.db, OPERATOR, { ...NEWS, ...changes })).toMatchObject({
      refused: "invalid",
    });
    const draft = await create();
    if (!("kind" in changes))
      expect(await messages.editMessage(context.db, OPERATOR, draft, changes)).toMatchObject({ refused: "invalid" });
    expect(await read(draft.id)).toMatchObject({ body: NEWS.body, pace: null });
  });

  test("keeps its audience once preparation starts, while its text can still be edited", async () => {
    await addMany(context.db, 3);
    const draft = await read(await prepared());
    const audience = { company: "Acme" };
    expect(await messages.editMessage(context.db, OPERATOR, draft, { audience })).toMatchObject({ refused: "illegal" });
    const edited = await editMessage(context.db, OPERATOR, draft, { subject: "Better" });
    expect(edited).toMatchObject({ subject: "Better", audience: {} });
    // Refuses the draft as it was before the edit.
    expect(await drafts.sendDraft(context.db, MAIL_ON, OPERATOR, draft)).toMatchObject({ refused: "illegal" });
    expect(await drafts.readDraftAudience(context.db, edited)).toEqual({ recipients: 3, added: 3, split: null });
    expect(await sendDraft(context.db, MAIL_ON, OPERATOR, edited)).toMatchObject({
      state: "sending",
      progress: { pending: 3 },
    });
  });
});

describe("the audience", () => {
  test("of an announcement is everyone who confirmed and subscribed, and the split says why the others aren't", async () => {
    await addPeople(context.db, everyKind);
    expect(await audiences.splitAudience(context.db, NEWS)).toEqual({
      matching: 6,
      recipients: 3,
      refused: { unsubscribed: 1, unconfirmed: 1, suppressed: 1 },
    });
    const id = await prepared();
    expect(await audienceOf(context.db, id)).toEqual(["yes@example.com", "invited@example.com", "other@example.com"]);
    expect((await read(id)).progress).toMatchObject({ pending: 3, sent: 0 });
    expect(await audienceOf(context.db, await prepared({ audience: { company: "acme, Inc." } }))).toEqual([]);
  });

  test("of an invitation is everyone who confirmed and isn't invited, marked as one wave", async () => {
    await addPeople(context.db, everyKind);
    const invitation = { ...NEWS, kind: "invitation" as const, audience: { next: 2 } };
    expect(await audiences.splitAudience(context.db, invitation)).toEqual({
      matching: 6,
      recipients: 2,
      refused: { unconfirmed: 1, suppressed: 1, invited: 1, "over the limit": 1 },
    });
    const id = await prepared(invitation);
    expect(await audienceOf(context.db, id)).toEqual(["yes@example.com", "unsubscribed@example.com"]);
    const { waveId } = await read(id);
    expect(await readWaveResults(context.db, 1)).toMatchObject([{ id: waveId, invited: 2 }]);
    expect(await audienceOf(context.db, await prepared({ kind: "invitation" }))).toEqual(["other@example.com"]);
  });

  test("of an invitation includes people whose rows were locked at first", async () => {
    const [first = ""] = await addMany(context.db, 1500);
    const { id } = await create({ kind: "invitation" });
    const other = await context.db.pool.connect();
    await other.query("begin");
    await other.query("select from sign_ups where id = $1 for update", [first]);
    const prepared = prepareMessage(context.db, OPERATOR, id);
    await untilBlocked(context.db);
    await other.query("rollback");
    other.release();
    await prepared;
    expect(await audienceOf(context.db, id)).toHaveLength(1500);
  });

  test("of an announcement is complete after a preparation that was interrupted is repeated", async () => {
    const ids = await addMany(context.db, 20);
    const { id } = await create();
    await context.db.pool.query("insert into deliveries (message_id, sign_up_id) select $1, unnest($2::bigint[])", [
      id,
      ids.slice(0, 7),
    ]);
    await prepareMessage(context.db, OPERATOR, id);
    expect(await audienceOf(context.db, id)).toHaveLength(20);
    expect((await read(id)).progress.pending).toBe(20);
  });

  test("of an interrupted invitation grows to its limit, without anyone who was uninvited meanwhile", async () => {
    const [first = ""] = await addMany(context.db, 1500);
    const { id } = await create({ kind: "invitation", audience: { next: 1200 } });
    const interrupted = prepareMessage(context.db, OPERATOR, id, undefined, () => {
      throw new Error("killed");
    });
    await expect(interrupted).rejects.toThrow("killed");
    await uninvitePerson(context.db, OPERATOR, first);
    const draft = await read(id);
    const split = { matching: 1500, recipients: 1100, refused: { invited: 99, "over the limit": 301 } };
    expect(await drafts.readDraftAudience(context.db, draft)).toEqual({ recipients: 1200, added: 100, split });
    const { state, waveId, progress } = await sendDraft(context.db, MAIL_ON, OPERATOR, draft);
    expect({ state, pending: progress.pending }).toEqual({ state: "sending", pending: 1200 });
    const { rows } = await context.db.pool.query(
      "select id from sign_ups where wave_id = $1 and invited_at is not null",
      [waveId],
    );
    expect(rows).toHaveLength(1199);
    expect(rows).not.toContainEqual({ id: first });
  });
});
