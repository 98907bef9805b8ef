import { describe, expect, test } from "vitest";
import { retryFailed } from "#core/mail/deliveries.ts";
import { confirmAddress } from "#core/members/member.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useMail } from "#tests/support/mail-worker.ts";

const mail = useMail();

describe("when the mail server fails", () => {
  test("retries after a temporary failure, and reports an error without the address", async () => {
    mail.smtp.refuseWith = "451";
    await mail.startWorker();
    await mail.join();
    await expect.poll(() => mail.faults.length, { timeout: 10_000 }).toBeGreaterThan(0);
    mail.smtp.refuseWith = undefined;
    await mail.arrived(1);
    expect((await mail.row()).rejected_at).toBeNull();
    expect(new Set(mail.faults)).toEqual(new Set(["Error: The mail server failed: EENVELOPE 451"]));
  });

  test("gives up after two days and keeps the email, which can be retried", async () => {
    await mail.join();
    await mail.deliver("delayed");
    expect(await mail.queue()).toEqual({ waiting: 1, dead: 0 });
    await mail.pass("2 days");
    await mail.deliver("delayed");
    expect(await mail.queue()).toEqual({ waiting: 0, dead: 1 });
    expect(await mail.confirmations()).toMatchObject([{ state: "failed", reason: "expired", sent_at: null }]);
    expect(await retryFailed(mail.db, OPERATOR)).toBe(1);
    expect(await mail.deliver()).toHaveLength(1);
    expect(await mail.queue()).toEqual({ waiting: 0, dead: 0 });
  });

  test("flags the address as rejected, with no dead letter, when its mailbox is refused", async () => {
    mail.smtp.refuseWith = "550";
    await mail.startWorker();
    await mail.join();
    await expect.poll(async () => (await mail.row()).rejected_at, { timeout: 10_000 }).not.toBeNull();
    expect(await mail.queue()).toMatchObject({ dead: 0 });
    // Confirming the address clears the flag.
    await confirmAddress(mail.db, (await mail.row()).id);
    expect((await mail.row()).rejected_at).toBeNull();
  });

  test("keeps the email as a dead letter without flagging the address on any other permanent failure", async () => {
    Object.assign(mail.smtp, { refuseAt: "DATA", refuseWith: "550 5.7.26 Unauthenticated" });
    await mail.startWorker();
    await mail.join();
    await expect.poll(() => mail.queue(), { timeout: 10_000 }).toEqual({ waiting: 0, dead: 1 });
    expect((await mail.row()).rejected_at).toBeNull();
  });
});

test("a mail that was accepted isn't sent again while the database can't record it", async () => {
  // Unlike a table, a sequence keeps what a transaction has done that is rolled back.
  await mail.db.pool.query(`
    create sequence attempts;
    create function fail() returns trigger language plpgsql as $$ begin
      perform nextval('attempts');
      raise 'a primary that is gone' using errcode = 'admin_shutdown';
    end $$;
    create trigger fail before update on deliveries for each row when (new.state = 'sent') execute function fail()`);
  await mail.startWorker();
  await mail.join();
  await mail.arrived(1);
  const attempts = async () => Number((await mail.db.pool.query("select last_value from attempts")).rows[0].last_value);
  await expect.poll(attempts, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  await mail.db.pool.query("drop trigger fail on deliveries; drop function fail");
  await expect.poll(async () => (await mail.confirmations())[0]?.state, { timeout: 5000 }).toBe("sent");
  expect(mail.smtp.mails).toHaveLength(1);
});
