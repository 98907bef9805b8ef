import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#core/database/connect.ts";
import { uninvitePerson, uninviteWave } from "#core/invitations/uninvite.ts";
import { inviteNext, invitePerson } from "#core/invitations/waves.ts";
import { prepareMessage } from "#core/messages/audience.ts";
import { cancelMessage, pauseMessage, resumeMessage, startMessage } from "#core/messages/message-states.ts";
import { createMessage, editMessage } from "#core/messages/messages.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { readTexts } from "#tests/support/activity-texts.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { fill } from "#tests/support/fill.ts";
import { NEWS } from "#tests/support/messages.ts";
import { addPeople } from "#tests/support/people.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();

let db: Database;
let ada: string;
beforeAll(async () => {
  db = context.db;
  await recordConsentWording(db);
});
beforeEach(async () => {
  await emptyWaitlist(db);
  ada = await addPerson("ada@example.com");
});

const addPerson = async (email: string) => (await addPeople(db, [{ email }]))[0] ?? "";
const texts = () => readTexts(db);

test("taking back invitations leaves an entry each, for a person and for a wave", async () => {
  const bob = await addPerson("bob@example.com");
  const { id } = await inviteNext(db, OPERATOR, {}, 2);
  await uninvitePerson(db, OPERATOR, bob);
  await uninviteWave(db, OPERATOR, id);
  expect(await texts()).toEqual([
    "uninvited 1 person (wave #)",
    "uninvited bob@example.com",
    "invited 2 people (wave #)",
  ]);
});

test("the steps of a message leave an entry each, and its invitations one of their own", async () => {
  const { id } = await createMessage(db, OPERATOR, { ...NEWS, kind: "invitation" });
  await editMessage(db, OPERATOR, id, { subject: "Better" });
  await prepareMessage(db, OPERATOR, id);
  await startMessage(db, OPERATOR, id);
  await pauseMessage(db, OPERATOR, id);
  await resumeMessage(db, OPERATOR, id);
  await cancelMessage(db, OPERATOR, id);
  expect(await texts()).toEqual([
    "canceled message # (wave #)",
    "resumed message # (wave #)",
    "paused message # (wave #)",
    "started sending message # to 1 person (wave #)",
    "invited 1 person (wave #, message #)",
    "edited message #",
    "drafted message #",
  ]);
});

describe("a wave in chunks", () => {
  beforeEach(() => fill(db, 2500));

  test("is one entry with the sum", async () => {
    await inviteNext(db, OPERATOR, {}, 2500);
    expect(await texts()).toEqual(["invited 2,500 people (wave #)"]);
  });

  test("is recorded as far as it got when it is interrupted", async () => {
    const interrupted = inviteNext(db, OPERATOR, {}, 2500, () => {
      throw new Error("the connection is gone");
    });
    await expect(interrupted).rejects.toThrow("the connection is gone");
    expect(await texts()).toEqual(["invited 1,000 people (wave #)"]);
  });
});

test("someone is invited alone once, and a second time leaves no empty wave", async () => {
  const wave = await invitePerson(db, OPERATOR, ada);
  expect(await invitePerson(db, OPERATOR, ada)).toBeUndefined();
  expect(await db.selectFrom("waves").select("id").execute()).toEqual([{ id: wave?.id }]);
});
