import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "#core/config/config.ts";
import { applyEvent } from "#core/mail/events/apply-event.ts";
import { readMessage } from "#core/messages/messages.ts";
import { changeMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { type ConsoleApi, openConsoleApi } from "#tests/support/console-api.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addMany } from "#tests/support/people.ts";

const mail = useMail();
let api: ConsoleApi;
beforeEach(async () => {
  api = await openConsoleApi({ db: mail.db, ...readConfig(mail.settings()) });
});
afterEach(() => api.close());

/** Adds this many people, some of them at Gmail. */
async function add(people: number, gmail = 0): Promise<void> {
  await addMany(mail.db, people);
  await mail.db.pool.query(
    `update sign_ups set confirmed_at = now() - interval '1 day',
      email_key = case when id in (select id from sign_ups order by id limit $1) then replace(email_key, 'example', 'gmail')
      else email_key end`,
    [gmail],
  );
}
const report = async (kind: "bounce" | "complaint", emails: string[]) => {
  for (const email of emails) expect(await applyEvent(mail.db, "ses", { email, kind, at: new Date() })).toBe(true);
};
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => `p${from + i}@example.com`);
const read = (id: string) => readMessage(mail.db, id);

/** Sends a message until nothing is left to claim, resets its state to sending, and returns its id. */
async function sendAll(): Promise<string> {
  const id = await sendNews(mail.db);
  while ((await mail.deliver()).length > 0);
  await mail.db.pool.query("update messages set state = 'sending', finished_at = null where id = $1", [id]);
  return id;
}

describe("a message", () => {
  test.each([
    ["2 complaints of 100", { people: 100, complaints: 2 }, null],
    ["3 complaints of 1,000", { people: 1000, complaints: 3 }, "complaints"],
    ["3 complaints of 1,001", { people: 1001, complaints: 3 }, null],
    ["3 complaints of 1,000 besides 200 at Gmail", { people: 1200, gmail: 200, complaints: 3 }, "complaints"],
    ["10 bounces of 100", { people: 100, bounces: 10 }, "bounces"],
    ["9 bounces of 100", { people: 100, bounces: 9 }, null],
  ])("pauses itself only when it should: %s", async (_name, counts, reason) => {
    const { people, gmail = 0, complaints = 0, bounces = 0 } = { gmail: 0, complaints: 0, bounces: 0, ...counts };
    await add(people, gmail);
    const id = await sendAll();
    await report("complaint", numbered(people - complaints + 1, complaints));
    await report("bounce", numbered(people - bounces + 1, bounces));
    await mail.deliver();
    expect(await read(id)).toMatchObject({ state: reason ? "paused" : "done", pauseReason: reason });
  });

  test("that paused itself says why, and stays resumed once an operator resumes it", async () => {
    await add(101);
    const id = await sendAll();
    await report("bounce", numbered(1, 6));
    const note = async () => (await api.get(`/api/messages/${id}`)).json.note;
    expect(await note()).toBe("5.9% bounces, more than 5%. At 10%, a message pauses itself.");
    await report("bounce", numbered(7, 5));
    await mail.deliver();
    expect(await note()).toBe("Paused itself at 10.9% bounces. If you resume it, it won't pause itself again.");
    await changeMessage(mail.db, OPERATOR, id, "resume");
    await mail.deliver();
    expect(await read(id)).toMatchObject({ state: "done" });
    const { mail: month } = (await api.get("/api/overview")).json;
    expect(month).toMatchObject({ lastMonth: { mails: 101, gmail: 0, bounced: 11, complained: 0, unsubscribed: 0 } });
  });
});
