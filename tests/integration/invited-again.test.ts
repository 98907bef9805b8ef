import { expect, test } from "vitest";
import { uninvitePerson, uninviteWave } from "#core/invitations/uninvite.ts";
import { prepareMessage } from "#core/messages/audience.ts";
import { pauseMessage, resumeMessage, startMessage } from "#core/messages/message-states.ts";
import { createMessage, type Draft, readMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { addMany } from "#tests/support/people.ts";

const mail = useMail();

const INVITATION: Draft = { kind: "invitation", subject: "First", body: "Come in", audience: {}, pace: null };
const create = async (subject: string) => (await createMessage(mail.db, OPERATOR, { ...INVITATION, subject })).id;
const waveOf = async (id: string) => (await readMessage(mail.db, id))?.waveId ?? "";
const progressOf = async (id: string) => (await readMessage(mail.db, id))?.progress;

async function send(subject: string): Promise<string> {
  const id = await create(subject);
  await prepareMessage(mail.db, OPERATOR, id);
  await startMessage(mail.db, OPERATOR, id);
  return id;
}

test("people who are uninvited and invited again by another message get that one only", async () => {
  await addMany(mail.db, 5);
  const first = await send("First");
  await pauseMessage(mail.db, OPERATOR, first);
  await uninviteWave(mail.db, OPERATOR, await waveOf(first));
  const second = await send("Second");
  await resumeMessage(mail.db, OPERATOR, first);
  await mail.startWorker();
  for (const id of [first, second]) {
    await expect.poll(() => progressOf(id), { timeout: 20_000 }).toMatchObject({ pending: 0 });
  }
  expect(mail.smtp.mails.map(({ subject }) => subject)).toEqual(Array(5).fill("Second"));
  expect(await progressOf(first)).toMatchObject({ sent: 0, skipped: 5 });
  const { rows } = await mail.db.pool.query("select distinct reason from deliveries where state = 'skipped'");
  expect(rows).toEqual([{ reason: "uninvited" }]);
});

test("an interrupted invitation continues after an uninvite, without the people who were uninvited", async () => {
  const [first = "", ...others] = await addMany(mail.db, 1500);
  const id = await create("First");
  const interrupted = prepareMessage(mail.db, OPERATOR, id, () => {
    throw new Error("killed");
  });
  await expect(interrupted).rejects.toThrow("killed");
  await uninvitePerson(mail.db, OPERATOR, first);
  await prepareMessage(mail.db, OPERATOR, id);
  expect(await progressOf(id)).toMatchObject({ pending: 1500 });
  const invited = await mail.db
    .selectFrom("sign_ups")
    .select("id")
    .where("wave_id", "=", await waveOf(id))
    .execute();
  expect(new Set(invited.map((person) => person.id))).toEqual(new Set(others));
});
