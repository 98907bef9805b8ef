import type { FastifyInstance } from "fastify";
import { PgBoss } from "pg-boss";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { readConfig } from "#core/config.ts";
import { createKeys } from "#core/keys.ts";
import { DEAD_LETTERS, JOBS_SCHEMA, readQueue, retryDead } from "#core/mail/queue.ts";
import { confirmAddress } from "#core/members/store.ts";
import type { Service } from "#core/service.ts";
import { recordConsentWording } from "#core/waitlist/consent.ts";
import { createApp } from "#server/app.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { runNode } from "#tests/support/run-node.ts";
import { type ScratchSmtp, startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";
import { startMailWorker } from "#worker/start.ts";

vi.setConfig({ testTimeout: 30_000 });
const context = useTestDatabase();
const SECRET = "a secret of at least 32 characters";
const ORIGIN = "https://farwatch.example";
let app: FastifyInstance;
let smtp: ScratchSmtp;
const faults: string[] = [];
let worker: Service | undefined;

beforeAll(async () => {
  await recordConsentWording(context.db);
  app = await createApp({ db: context.db, ...unlimited, keys: createKeys(SECRET), isMailed: true });
});
afterAll(() => app.close());

beforeEach(async () => {
  await emptyWaitlist(context.db);
  await emptyQueue();
  smtp = await startScratchSmtp();
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await smtp.stop();
});

async function work(env: Record<string, string> = {}): Promise<void> {
  const config = readConfig({ DATABASE_URL: context.url, SMTP_URL: smtp.url, SECRET, PUBLIC_ORIGIN: ORIGIN, ...env });
  if (!config.mail) throw new Error("Mail is off");
  worker = await startMailWorker(config.mail, context.db, context.url, (reason) => faults.push(String(reason)));
}
/** Of what an earlier test left; there is none before the first worker has started. */
const emptyQueue = () => context.db.pool.query(`delete from ${JOBS_SCHEMA}.job`).catch(() => {});
const join = (signUp = aSignUp()) => app.inject({ method: "POST", url: WAITLIST_PATH, payload: signUp });
const row = () => context.db.selectFrom("sign_ups").selectAll().executeTakeFirstOrThrow();
const arrived = (mails: number) => expect.poll(() => smtp.mails.length, { timeout: 20_000 }).toBe(mails);
const jobsLeft = async () => (await readQueue(context.db)).waiting;
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 2500));

test("whoever joins gets a mail whose link leads to their own page, where they confirm", async () => {
  await work();
  const ada = aSignUp({ firstName: "BUY NOW", lastName: "https://spam.example", company: "Cheap pills" });
  await join(ada);
  await arrived(1);
  const [mail] = smtp.mails;
  expect(mail?.to).toEqual([{ address: ada.email, name: "" }]);
  // Nothing that was typed into the form, but the address it is sent to.
  for (const part of [mail?.subject, mail?.text, mail?.html]) expect(part).not.toMatch(/BUY|spam|pills/);
  const [page = ""] = mail?.text?.match(/https:\S+membership\S+/) ?? [];
  expect(mail?.html).toContain(page);
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
  expect(header("list-unsubscribe")).toBe(`<${page}/unsubscribe>`);
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");

  const path = page.slice(ORIGIN.length);
  expect((await app.inject(path)).statusCode).toBe(200);
  expect((await row()).confirmed_at).toBeNull();
  await app.inject({ method: "POST", url: `${path}/confirm` });
  expect((await row()).confirmed_at).not.toBeNull();
});

describe("no address is written to more than it should be", () => {
  test("thousands of sign-ups for one address are one mail", async () => {
    await work();
    const ada = aSignUp();
    for (let round = 0; round < 9; round += 1) await Promise.all(Array.from({ length: 1000 }, () => join(ada)));
    await arrived(1);
    await aMoment();
    expect(smtp.mails).toHaveLength(1);
  });

  test("signed up again a day later it gets another, three at most, and none once it is confirmed", async () => {
    await work();
    const ada = aSignUp();
    const aDayPasses = () =>
      context.db.pool.query("update sign_ups set last_mail_at = last_mail_at - interval '25 hours'");
    await join(ada);
    for (const mails of [1, 2, 3]) {
      await arrived(mails);
      await aDayPasses();
      await join(ada);
    }
    await aMoment();
    expect(smtp.mails).toHaveLength(3);
    expect(new Set(smtp.mails.map(({ messageId }) => messageId)).size).toBe(3);

    await emptyWaitlist(context.db);
    await join(ada);
    await arrived(4);
    await context.db.pool.query("update sign_ups set confirmed_at = now()");
    await aDayPasses();
    await join(ada);
    await aMoment();
    expect(smtp.mails).toHaveLength(4);
  });

  test("all of them together get so many a minute, also of those that had to wait", async () => {
    smtp.refuseWith = "451";
    await Promise.all(Array.from({ length: 12 }, () => join()));
    // Three workers, as three servers would have.
    const others: (typeof worker)[] = [];
    for (let number = 0; number < 2; number += 1) {
      await work({ MAIL_PER_MINUTE: "6" });
      others.push(worker);
    }
    await work({ MAIL_PER_MINUTE: "6" });
    await expect.poll(() => faults.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
    smtp.refuseWith = undefined;
    await aMoment();
    await aMoment();
    const minutes = await context.db.selectFrom("mail_minutes").selectAll().execute();
    for (const { mails } of minutes) expect(mails).toBeLessThanOrEqual(6);
    const tried = minutes.reduce((sum, { mails }) => sum + mails, 0);
    expect(smtp.mails.length + faults.splice(0).length).toBe(tried);
    await Promise.all(others.map((other) => other?.stop()));
  });

  test("who joined when there was no mail gets one when signed up again", async () => {
    const ada = aSignUp();
    await join(ada);
    await context.db.pool.query("update sign_ups set mail_due = false");
    await work();
    await join(ada);
    await arrived(1);
  });

  test("a mail that waited for more than a day is not followed by the next at once", async () => {
    smtp.refuseWith = "451";
    await work();
    const ada = aSignUp();
    await join(ada);
    await expect.poll(() => faults.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await worker?.stop();
    await context.db.pool.query("update sign_ups set last_mail_at = last_mail_at - interval '25 hours'");
    await join(ada);
    smtp.refuseWith = undefined;
    await work();
    await arrived(1);
    await expect.poll(() => jobsLeft(), { timeout: 20_000 }).toBe(0);
    expect(smtp.mails).toHaveLength(1);
    faults.splice(0);
  });

  test("whoever was erased before it could be sent gets none", async () => {
    smtp.refuseWith = "451";
    await work();
    await join();
    await expect.poll(() => faults.splice(0).length, { timeout: 10_000 }).toBeGreaterThan(0);
    await emptyWaitlist(context.db);
    smtp.refuseWith = undefined;
    await expect.poll(() => jobsLeft(), { timeout: 20_000 }).toBe(0);
    expect(smtp.mails).toHaveLength(0);
  });
});

describe("when the mail server fails", () => {
  test("for now, it is tried again", async () => {
    smtp.refuseWith = "451";
    await work();
    await join();
    await aMoment();
    expect(smtp.mails).toHaveLength(0);
    smtp.refuseWith = undefined;
    await arrived(1);
    expect((await row()).rejected_at).toBeNull();
    // What is logged of it names nobody.
    expect(new Set(faults.splice(0))).toEqual(new Set(["Error: The mail server failed: EENVELOPE 451"]));
  });

  test("for two days, the mail is given up, and kept for the operators", async () => {
    smtp.refuseWith = "451";
    await work();
    await join();
    await expect.poll(() => faults.splice(0).length, { timeout: 10_000 }).toBeGreaterThan(0);
    await context.db.pool.query(`update ${JOBS_SCHEMA}.job set created_on = created_on - interval '2 days'`);
    await expect.poll(() => readQueue(context.db), { timeout: 20_000 }).toEqual({ waiting: 0, dead: 1 });
    smtp.refuseWith = undefined;
    expect(await retryDead(context.db)).toBe(1);
    await arrived(1);
    expect(await readQueue(context.db)).toMatchObject({ dead: 0 });
    faults.splice(0);
  });

  test.each([
    ["RCPT TO", "550"],
    ["RCPT TO", "550 5.1.1 No such user"],
    ["DATA", "552 5.2.2 Mailbox full"],
  ] as const)("for good for its address, that is marked and left alone: %s %s", async (refuseAt, refuseWith) => {
    Object.assign(smtp, { refuseAt, refuseWith });
    await work();
    await join();
    await expect.poll(async () => (await row()).rejected_at, { timeout: 10_000 }).not.toBeNull();
    expect(await readQueue(context.db)).toMatchObject({ dead: 0 });
    // Should it be confirmed all the same, it works.
    await confirmAddress(context.db, (await row()).id);
    expect((await row()).rejected_at).toBeNull();
  });

  test.each([
    ["RCPT TO", "554 5.7.1 Relay access denied"],
    ["RCPT TO", "554"],
    ["RCPT TO", "550 5.1.8 Bad sender"],
    ["DATA", "550 5.7.26 Unauthenticated"],
    ["DATA", "550"],
  ] as const)(
    "for good for another reason, the operators are told and nobody is blamed: %s %s",
    async (refuseAt, refuseWith) => {
      Object.assign(smtp, { refuseAt, refuseWith });
      await work();
      await join();
      await expect.poll(() => readQueue(context.db), { timeout: 10_000 }).toEqual({ waiting: 0, dead: 1 });
      expect((await row()).rejected_at).toBeNull();
    },
  );
});

test("what was given up is shown to operators, who can have it tried again", async () => {
  await work();
  await join();
  await arrived(1);
  const boss = new PgBoss({ connectionString: context.url, schema: JOBS_SCHEMA, supervise: false });
  await boss.start();
  await boss.send(DEAD_LETTERS, { signUpId: (await row()).id, number: 1 });
  await boss.stop();
  const waitlist = (...args: string[]) => runNode("cli/waitlist.ts", { DATABASE_URL: context.url }, args);
  const { code, stdout } = await waitlist("mail", "status", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ dead: 1, mailed: 1, confirmed: 0 });
  expect((await waitlist("mail", "retry")).stdout).toBe("1 mail will be tried again.\n");
  await arrived(2);
  expect(smtp.mails[1]?.messageId).toBe(smtp.mails[0]?.messageId);
  expect((await waitlist("mail", "status")).code).toBe(0);
});

test("operators are told when nobody sends what is due", async () => {
  await join();
  const status = () => runNode("cli/waitlist.ts", { DATABASE_URL: context.url }, ["mail", "status"]);
  expect((await status()).code).toBe(0);
  await context.db.pool.query("update sign_ups set joined_at = now() - interval '11 minutes'");
  expect(await status()).toMatchObject({ code: 1, stdout: expect.stringContaining("No mail worker is at work.") });
});

test("without SMTP_URL nothing is marked and nothing is queued", async () => {
  const quiet = await createApp({ db: context.db, ...unlimited });
  await quiet.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
  expect(await row()).toMatchObject({ mail_due: false, mails: 0 });
  await quiet.close();
  expect(readConfig({ DATABASE_URL: context.url }).mail).toBeUndefined();
});

test("the configuration says what mail needs", () => {
  expect(() => readConfig({ DATABASE_URL: context.url, SMTP_URL: "smtp://localhost", DKIM_DOMAIN: "x" })).toThrow(
    /SECRET is needed.*\n.*PUBLIC_ORIGIN is needed.*\n.*DKIM_DOMAIN/,
  );
});
