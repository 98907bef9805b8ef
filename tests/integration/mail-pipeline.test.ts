import { expect, test } from "vitest";
import { prepareMessage } from "#core/mail/audience.ts";
import { startMessage } from "#core/mail/message-states.ts";
import { createMessage, readMessage } from "#core/mail/messages.ts";
import { setNewsletter } from "#core/members/store.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { addMany } from "#tests/support/people.ts";

const mail = useMail();

test("someone who unsubscribes while the mail before theirs is still being recorded gets nothing", async () => {
  await addMany(mail.db, 2);
  const draft = { kind: "announcement", subject: "News", body: "Hi", audience: {}, pace: null } as const;
  const { id } = await createMessage(mail.db, OPERATOR, draft);
  await prepareMessage(mail.db, OPERATOR, id);
  await startMessage(mail.db, OPERATOR, id);
  mail.smtp.ackDelayMs = 500;
  await mail.startWorker();
  await mail.arrived(1);

  const [first] = mail.smtp.mails[0]?.to ?? [];
  const lock = await mail.db.pool.connect();
  await lock.query("begin");
  await lock.query(
    "select from deliveries join sign_ups on id = sign_up_id where email = $1 for update of deliveries",
    [first?.address],
  );
  const claimed = async () => {
    const { rows } = await mail.db.pool.query(
      "select id from deliveries join sign_ups on id = sign_up_id where email <> $1 and tried_at is not null",
      [first?.address],
    );
    return rows[0]?.id;
  };
  await expect.poll(claimed, { timeout: 10_000 }).toBeDefined();
  await setNewsletter(mail.db, OPERATOR, await claimed(), false);
  expect(mail.smtp.mails).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await lock.query("commit");
  lock.release();

  await expect.poll(async () => (await readMessage(mail.db, id))?.state, { timeout: 10_000 }).toBe("done");
  expect(mail.smtp.mails).toHaveLength(1);
  expect((await readMessage(mail.db, id))?.progress).toMatchObject({ sent: 1, skipped: 1 });
});
