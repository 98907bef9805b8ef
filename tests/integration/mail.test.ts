import { describe, expect, test } from "vitest";
import { UNSUBSCRIBE_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { createMailQueue } from "#core/mail/choose-mails.ts";
import { recordOutcome } from "#core/mail/deliveries.ts";
import { composeMail } from "#core/mail/rendering/compose.ts";
import { createApp } from "#server/app.ts";
import { ORIGIN, SECRET, useMail } from "#tests/support/mail-worker.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const mail = useMail();

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
  test("hundreds of sign-ups with the same address send one email", async () => {
    const ada = aSignUp();
    let mails = 0;
    for (let round = 0; round < 9; round += 1) {
      const joining = Array.from({ length: 100 }, () => mail.join(ada));
      const [sent] = await Promise.all([mail.deliver(), ...joining]);
      mails += sent.length;
    }
    expect(mails + (await mail.deliver()).length).toBe(1);
  });

  test("signing up again sends another email after a day, three in all, and none once confirmed", async () => {
    const ada = aSignUp();
    const messageIds = new Set<string>();
    const joinAndDeliver = async () => {
      await mail.join(ada);
      const mails = await mail.deliver();
      for (const each of mails) {
        messageIds.add((await composeMail(each, { keys: createKeys(SECRET), origin: ORIGIN })).messageId);
      }
      return mails.length;
    };
    for (const copies of [1, 2, 3]) {
      expect([await joinAndDeliver(), await joinAndDeliver()]).toEqual([1, 0]);
      expect(messageIds.size).toBe(copies);
      await mail.pass("25 hours");
    }
    expect(await joinAndDeliver()).toBe(0);
    await mail.db.pool.query("update deliveries set copies = 1");
    await mail.db.pool.query("update sign_ups set confirmed_at = now()");
    expect(await joinAndDeliver()).toBe(0);
  });

  // The minute may turn between two claims.
  test("the limit of emails per minute holds for all workers together, retries included", { retry: 1 }, async () => {
    await Promise.all(Array.from({ length: 12 }, () => mail.join()));
    const [first, ...others] = [1, 2, 3].map(() => createMailQueue(mail.db, 6));
    const delayed = (await first?.(4))?.mails ?? [];
    for (const each of delayed) await recordOutcome(mail.db, each, "delayed");
    await mail.pass("1 hour");
    const claimed = await Promise.all(others.map((claim) => claim(5)));
    expect([delayed.length, claimed.flatMap(({ mails }) => mails).length]).toEqual([4, 2]);
  });

  test("someone who joined while mail was off gets an email on signing up again", async () => {
    const ada = aSignUp();
    await mail.join(ada);
    await mail.db.pool.query("update sign_ups set mail_due = false");
    await mail.join(ada);
    expect(await mail.deliver()).toHaveLength(1);
  });

  test("an email that was delayed for more than a day is not followed by a second one right away", async () => {
    const ada = aSignUp();
    await mail.join(ada);
    expect(await mail.deliver("delayed")).toHaveLength(1);
    await mail.pass("25 hours");
    await mail.join(ada);
    expect([(await mail.deliver()).length, (await mail.deliver()).length]).toEqual([1, 0]);
  });
});

test("without SMTP_URL no email is flagged as due", async () => {
  const withoutMail = await createApp({ db: mail.db, ...unlimited });
  const response = await withoutMail.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
  expect(Object.keys(response.json())).toEqual(["data"]);
  expect(await mail.row()).toMatchObject({ mail_due: false });
  await withoutMail.close();
});
