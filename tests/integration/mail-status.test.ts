import { expect, test, vi } from "vitest";
import { readMailStatus } from "#core/mail/queue/status.ts";
import { CONFIRMATION, LINK } from "#core/mail/recipients.ts";
import { useOperator, waitlist } from "#tests/support/cli.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";

// Skips the command's wait for several of a worker's polls before it reports that mail is stalled.
vi.mock("node:timers/promises", () => ({ setTimeout: async () => {} }));

const context = useOperator();
const status = () => waitlist("mail", "status");
const isStalled = async () => (await readMailStatus(context.db)).isStalled;

test("waitlist mail status shows the oldest email that is waiting, the rate and the last error; mail retry retries", async () => {
  await addMany(context.db, 3);
  await context.db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, reason, first_tried_at, tried_at, next_try_at)
    select ${LINK}, id, state, reason, tried_at, tried_at, now()
    from (select row_number() over (order by id) as number, id from sign_ups) as people
    join (values
      (1, 'pending', 'EAUTH 535', '2026-11-15 08:00Z'::timestamptz),
      (2, 'failed', 'expired', '2026-11-14 08:00Z'),
      (3, 'failed', 'refused', '2026-11-14 09:00Z')
    ) as mails (number, state, reason, tried_at) using (number)`);
  await context.db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, sent_at)
    select ${CONFIRMATION}, min(id), 'sent', now() from sign_ups`);
  await context.db.pool.query(
    // Fills two minutes, because the command may run in the next one.
    `insert into mail_minutes (minute, mails)
    select date_trunc('minute', now()) - minutes * interval '1 minute', 38 from generate_series(0, 1) as minutes`,
  );
  const { code, stdout } = await status();
  expect(code).toBe(1);
  for (const line of [
    "Waiting to be sent +1",
    "Oldest waiting +2026-11-15 08:00",
    "Rate +38 per minute",
    "Failed +2 \\(to retry: npx waitlist mail retry\\)",
    "Last error +2026-11-15 08:00, EAUTH 535",
    "People emailed +1",
  ]) {
    expect(stdout).toMatch(new RegExp(`^${line}$`, "m"));
  }
  expect((await waitlist("mail", "retry")).stdout).toBe("Queued 2 emails for another try.\n");
  expect((await waitlist("mail", "retry")).stdout).toBe("No emails to retry.\n");
  expect((await status()).code).toBe(0);
});

test("waitlist mail status exits with 1 when emails wait and no worker is running", async () => {
  await addPeople(context.db, [{ email: "ada@example.com", confirmed: false }]);
  await context.db.pool.query("update sign_ups set mail_network = 0");
  expect(await isStalled()).toBe(false);
  await context.db.pool.query("update sign_ups set joined_at = now() - interval '11 minutes'");
  expect(await status()).toMatchObject({ code: 1, stdout: expect.stringContaining("No mail worker is running:") });
  await context.db.pool.query("insert into mail_minutes (minute, mails) values (date_trunc('minute', now()), 1)");
  expect(await isStalled()).toBe(false);
  expect((await status()).code).toBe(0);
});

test("mail is stalled when a message has waited and no worker is running", async () => {
  await addMany(context.db, 1);
  await sendNews(context.db);
  expect(await isStalled()).toBe(false);
  await context.db.pool.query("update messages set next_release_at = now() - interval '11 minutes'");
  expect(await isStalled()).toBe(true);
});
