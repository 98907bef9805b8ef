import { expect, test } from "vitest";
import { holdMail } from "#core/mail/hold.ts";
import { readMailStatus } from "#core/mail/status.ts";
import { startMessage } from "#core/messages/message-states.ts";
import { CONFIRMATION, LINK } from "#core/messages/recipients.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { prepareNews } from "#tests/support/messages.ts";
import { addMany } from "#tests/support/people.ts";
import { runNode } from "#tests/support/run-node.ts";

const mail = useMail();
const status = () => runNode("cli/waitlist.ts", { DATABASE_URL: mail.url }, ["mail", "status"]);
const isStalled = async () => (await readMailStatus(mail.db)).isStalled;

test("waitlist mail status shows the oldest email that is waiting, the rate and the last error", async () => {
  await addMany(mail.db, 3);
  await mail.db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, reason, first_tried_at, tried_at, next_try_at)
    select ${CONFIRMATION}, id, state, reason, tried_at, tried_at, now()
    from (select row_number() over (order by id) as number, id from sign_ups) as people
    join (values
      (1, 'pending', null, '2026-11-15 08:00Z'::timestamptz),
      (2, 'failed', 'expired', '2026-11-14 08:00Z'),
      (3, 'failed', 'refused', '2026-11-14 09:00Z')
    ) as mails (number, state, reason, tried_at) using (number)`);
  await mail.db.pool.query(
    // The command may run in the next minute.
    `insert into mail_minutes (minute, mails)
    select date_trunc('minute', now()) - minutes * interval '1 minute', 38 from generate_series(0, 1) as minutes`,
  );
  const { stdout } = await status();
  expect(stdout).toMatch(/^Waiting to be sent +1$/m);
  expect(stdout).toMatch(/^Oldest waiting +2026-11-15 08:00$/m);
  expect(stdout).toMatch(/^Rate +38 per minute$/m);
  expect(stdout).toMatch(/^Last error +2026-11-14 09:00, refused by the mail server$/m);
  expect(await readMailStatus(mail.db)).toMatchObject({
    waiting: 1,
    waitingSince: new Date("2026-11-15T08:00:00.000Z"),
    perMinute: 38,
    dead: 2,
    lastFailure: { reason: "refused", at: new Date("2026-11-14T09:00:00.000Z") },
  });
});

test("waitlist mail status exits with 1 when due emails wait and no worker is running", async () => {
  await mail.join();
  expect(await isStalled()).toBe(false);
  await mail.db.pool.query("update sign_ups set joined_at = now() - interval '11 minutes'");
  expect(await status()).toMatchObject({ code: 1, stdout: expect.stringContaining("No mail worker is running:") });
  await mail.db.pool.query("insert into mail_minutes (minute, mails) values (date_trunc('minute', now()), 1)");
  expect(await isStalled()).toBe(false);
});

test("mail is stalled when someone waits for their link and no worker is running", async () => {
  await addMany(mail.db, 1);
  await mail.db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, tried_at, sent_at)
    select ${LINK}, id, 'sent', joined_at, joined_at from sign_ups`);
  await mail.db.pool.query("update sign_ups set joined_at = now() - interval '2 days'");
  expect(await isStalled()).toBe(false);
  await mail.db.pool.query("update sign_ups set mail_due = true");
  expect(await isStalled()).toBe(true);
  await holdMail(mail.db);
  expect(await isStalled()).toBe(false);
});

test("mail is stalled when a message waits and no worker is running", async () => {
  await addMany(mail.db, 1);
  const id = await prepareNews(mail.db, {});
  await startMessage(mail.db, OPERATOR, id);
  expect(await isStalled()).toBe(false);
  await mail.db.pool.query("update messages set next_release_at = now() - interval '11 minutes' where id = $1", [id]);
  expect(await isStalled()).toBe(true);
});
