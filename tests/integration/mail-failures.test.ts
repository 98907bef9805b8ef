import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { retryFailed } from "#core/mail/deliveries.ts";
import { confirmAddress } from "#core/members/member.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { runNode } from "#tests/support/run-node.ts";

const mail = useMail();

describe("when the mail server fails", () => {
  test.each([
    ["451", "451"],
    ["552 5.2.2 Mailbox full", "552"],
  ])("retries after a temporary failure: %s", async (refuseWith, code) => {
    mail.smtp.refuseWith = refuseWith;
    await mail.startWorker();
    await mail.join();
    await pause(2500);
    expect(mail.smtp.mails).toHaveLength(0);
    mail.smtp.refuseWith = undefined;
    await mail.arrived(1);
    expect((await mail.row()).rejected_at).toBeNull();
    // The reported error contains no address.
    expect(new Set(mail.faults.splice(0))).toEqual(new Set([`Error: The mail server failed: EENVELOPE ${code}`]));
  });

  test("gives up after two days and keeps the email, which can be retried", async () => {
    mail.smtp.refuseWith = "451";
    await mail.startWorker();
    await mail.join();
    await expect.poll(() => mail.faults.splice(0).length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(await mail.queue()).toEqual({ waiting: 1, dead: 0 });
    await mail.pass("2 days");
    await expect.poll(() => mail.queue(), { timeout: 20_000 }).toEqual({ waiting: 0, dead: 1 });
    expect(await mail.confirmations()).toMatchObject([{ state: "failed", reason: "expired", sent_at: null }]);
    mail.smtp.refuseWith = undefined;
    expect(await retryFailed(mail.db, OPERATOR)).toBe(1);
    await mail.arrived(1);
    expect(await mail.queue()).toMatchObject({ dead: 0 });
    mail.faults.splice(0);
  });

  test.each([
    ["RCPT TO", "550"],
    ["RCPT TO", "550 5.1.1 No such user"],
    ["DATA", "550 5.2.1 Mailbox disabled"],
  ] as const)(
    "flags the address as rejected, with no dead letter, when its mailbox is refused: %s %s",
    async (refuseAt, refuseWith) => {
      Object.assign(mail.smtp, { refuseAt, refuseWith });
      await mail.startWorker();
      await mail.join();
      await expect.poll(async () => (await mail.row()).rejected_at, { timeout: 10_000 }).not.toBeNull();
      expect(await mail.queue()).toMatchObject({ dead: 0 });
      // Confirming the address clears the flag.
      await confirmAddress(mail.db, (await mail.row()).id);
      expect((await mail.row()).rejected_at).toBeNull();
    },
  );

  test.each([
    ["RCPT TO", "554 5.7.1 Relay access denied"],
    ["RCPT TO", "550 relay not permitted"],
    ["RCPT TO", "554"],
    ["RCPT TO", "550 5.1.8 Bad sender"],
    ["DATA", "550 5.7.26 Unauthenticated"],
    ["DATA", "550"],
  ] as const)(
    "keeps the email as a dead letter without flagging the address on any other permanent failure: %s %s",
    async (refuseAt, refuseWith) => {
      Object.assign(mail.smtp, { refuseAt, refuseWith });
      await mail.startWorker();
      await mail.join();
      await expect.poll(() => mail.queue(), { timeout: 10_000 }).toEqual({ waiting: 0, dead: 1 });
      expect((await mail.row()).rejected_at).toBeNull();
    },
  );
});

test("a mail that was accepted isn't sent again after an outage of the database that is shorter than a failover", async () => {
  await mail.db.pool.query(`
    create function fail() returns trigger language plpgsql
      as $$ begin raise 'a primary that is gone' using errcode = 'admin_shutdown'; end $$;
    create trigger fail before update on deliveries for each row when (new.state = 'sent') execute function fail()`);
  await mail.startWorker();
  await mail.join();
  await mail.arrived(1);
  await pause(8000);
  await mail.db.pool.query("drop trigger fail on deliveries; drop function fail");
  await expect.poll(async () => (await mail.confirmations())[0]?.state, { timeout: 5000 }).toBe("sent");
  expect(mail.smtp.mails).toHaveLength(1);
});

test("waitlist mail status reports dead letters, and waitlist mail retry sends them again", async () => {
  await mail.startWorker();
  await mail.join();
  await mail.arrived(1);
  await expect.poll(async () => (await mail.confirmations())[0]?.state).toBe("sent");
  await mail.db.pool.query("update deliveries set state = 'failed'");
  const waitlist = (...args: string[]) => runNode("cli/waitlist.ts", { DATABASE_URL: mail.url }, args);
  const { code, stdout } = await waitlist("mail", "status", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ dead: 1, mailed: 1 });
  expect((await waitlist("mail", "retry")).stdout).toBe("Queued 1 email for another try.\n");
  await mail.arrived(2);
  expect(mail.smtp.mails[1]?.messageId).toBe(mail.smtp.mails[0]?.messageId);
  expect((await waitlist("mail", "status")).code).toBe(0);
});
