import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { UNSUBSCRIBE_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { readConfig } from "#core/config/config.ts";
import { createApp } from "#server/app.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { ORIGIN, useMail } from "#tests/support/mail-worker.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const mail = useMail();
const pendingJobs = async () => (await mail.queue()).waiting;

test("a sign-up gets an email whose link opens the member page, where the address is confirmed", async () => {
  await mail.startWorker();
  const ada = aSignUp({ firstName: "BUY NOW", lastName: "https://spam.example", company: "Cheap pills" });
  await mail.join(ada);
  await mail.arrived(1);
  const [confirmation] = mail.smtp.mails;
  expect(confirmation?.to).toEqual([{ address: ada.email, name: "" }]);
  // The address is the only form input in the email.
  for (const part of [confirmation?.subject, confirmation?.text, confirmation?.html])
    expect(part).not.toMatch(/BUY|spam|pills/);
  const [page = ""] = confirmation?.text?.match(/https:\S+membership\S+/) ?? [];
  expect(confirmation?.html).toContain(page);
  const header = (name: string) => confirmation?.headers.find(({ key }) => key === name)?.value;
  const unsubscribe = header("list-unsubscribe")?.slice(1, -1) ?? "";
  expect(unsubscribe).toMatch(`${ORIGIN}${UNSUBSCRIBE_PATH}/`);
  expect(confirmation?.text).toContain(unsubscribe);
  expect(confirmation?.html).toContain(unsubscribe);
  expect(unsubscribe).not.toContain(page.split("/").at(-1));
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");

  const path = page.slice(ORIGIN.length);
  expect((await mail.app.inject(path)).statusCode).toBe(200);
  expect((await mail.row()).confirmed_at).toBeNull();
  expect((await mail.app.inject(unsubscribe.slice(ORIGIN.length))).statusCode).toBe(200);
  await mail.app.inject({ method: "POST", url: `${path}/confirm` });
  expect((await mail.row()).confirmed_at).not.toBeNull();
});

describe("confirmation emails", () => {
  test("9,000 sign-ups with the same address send one email", async () => {
    await mail.startWorker();
    const ada = aSignUp();
    for (let round = 0; round < 9; round += 1) await Promise.all(Array.from({ length: 1000 }, () => mail.join(ada)));
    await mail.arrived(1);
    await pause(2500);
    expect(mail.smtp.mails).toHaveLength(1);
  });

  test("signing up again sends another email after a day, three in all, and none once confirmed", async () => {
    await mail.startWorker();
    const ada = aSignUp();
    const passOneDay = async () => {
      // A mail may have arrived before it is recorded as sent.
      await expect.poll(async () => (await mail.confirmations())[0]?.state, { timeout: 10_000 }).toBe("sent");
      await mail.pass("25 hours");
    };
    await mail.join(ada);
    for (const mails of [1, 2, 3]) {
      await mail.arrived(mails);
      await passOneDay();
      await mail.join(ada);
    }
    await pause(2500);
    expect(mail.smtp.mails).toHaveLength(3);
    expect(new Set(mail.smtp.mails.map(({ messageId }) => messageId)).size).toBe(3);

    await emptyWaitlist(mail.db);
    await mail.join(ada);
    await mail.arrived(4);
    await mail.db.pool.query("update sign_ups set confirmed_at = now()");
    await passOneDay();
    await mail.join(ada);
    await pause(2500);
    expect(mail.smtp.mails).toHaveLength(4);
  });

  test("the limit of emails per minute holds for all workers together, retries included", async () => {
    mail.smtp.refuseWith = "451";
    await Promise.all(Array.from({ length: 12 }, () => mail.join()));
    // As on three servers.
    for (let number = 0; number < 3; number += 1) await mail.startWorker({ MAIL_PER_MINUTE: "6" });
    await expect.poll(() => mail.faults.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
    mail.smtp.refuseWith = undefined;
    await pause(2500);
    await pause(2500);
    const minutes = await mail.db.selectFrom("mail_minutes").selectAll().execute();
    for (const { mails } of minutes) expect(mails).toBeLessThanOrEqual(6);
    const attempts = minutes.reduce((sum, { mails }) => sum + mails, 0);
    expect(mail.smtp.mails.length + mail.faults.splice(0).length).toBe(attempts);
  });

  test("someone who joined while mail was off gets an email on signing up again", async () => {
    const ada = aSignUp();
    await mail.join(ada);
    await mail.db.pool.query("update sign_ups set mail_due = false");
    await mail.startWorker();
    await mail.join(ada);
    await mail.arrived(1);
  });

  test("an email that was delayed for more than a day is not followed by a second one right away", async () => {
    mail.smtp.refuseWith = "451";
    await mail.startWorker();
    const ada = aSignUp();
    await mail.join(ada);
    await expect.poll(() => mail.faults.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await mail.stopWorkers();
    await mail.pass("25 hours");
    await mail.join(ada);
    mail.smtp.refuseWith = undefined;
    await mail.startWorker();
    await mail.arrived(1);
    await expect.poll(() => pendingJobs(), { timeout: 20_000 }).toBe(0);
    expect(mail.smtp.mails).toHaveLength(1);
    mail.faults.splice(0);
  });

  test("someone who is erased before a retry gets no email", async () => {
    mail.smtp.refuseWith = "451";
    await mail.startWorker();
    await mail.join();
    await expect.poll(() => mail.faults.splice(0).length, { timeout: 10_000 }).toBeGreaterThan(0);
    await emptyWaitlist(mail.db);
    mail.smtp.refuseWith = undefined;
    await expect.poll(() => pendingJobs(), { timeout: 20_000 }).toBe(0);
    expect(mail.smtp.mails).toHaveLength(0);
  });
});

test("without SMTP_URL no email is flagged as due", async () => {
  const withoutMail = await createApp({ db: mail.db, ...unlimited });
  const response = await withoutMail.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
  expect(Object.keys(response.json())).toEqual(["data"]);
  expect(await mail.row()).toMatchObject({ mail_due: false });
  expect(await mail.confirmations()).toEqual([]);
  await withoutMail.close();
  expect(readConfig({ DATABASE_URL: mail.url }).mail).toBeUndefined();
});

test("the configuration error lists every setting that mail still needs", () => {
  expect(() => readConfig({ DATABASE_URL: mail.url, SMTP_URL: "smtp://localhost", DKIM_DOMAIN: "x" })).toThrow(
    /SECRET is needed.*\n.*PUBLIC_ORIGIN is needed.*\n.*DKIM_DOMAIN/,
  );
});
