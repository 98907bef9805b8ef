import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { prepareMessage } from "#core/messages/audience.ts";
import { readMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { everyKind, useMessageCommand } from "#tests/support/message-command.ts";
import { addMany, addPeople } from "#tests/support/people.ts";

const { mail, body, message, json, create } = useMessageCommand();
const isDone = (id: string) =>
  expect.poll(async () => (await readMessage(mail.db, id))?.state, { timeout: 20_000 }).toBe("done");
const recipients = () => mail.smtp.mails.map(({ to }) => to?.[0]?.address ?? "").sort();

test("a draft and its dry run show who would get it, and why the others wouldn't", async () => {
  await addPeople(mail.db, everyKind);
  const saved = await message("new", "--subject", "News for {{firstName}}", "--body", body, "--per-hour", "36000");
  expect(saved).toMatchObject({ code: 0, stderr: "" });
  const id = /Saved message (\d+) as a draft/.exec(saved.stdout)?.[1] ?? "";
  expect(saved.stdout).toMatch(/Match the filters +5\nGet the email +2\nDon't get it +3\n/);
  for (const reason of ["not subscribed", "address not confirmed", "address rejected"]) {
    expect(saved.stdout).toMatch(new RegExp(`^ {2}${reason} +1$`, "m"));
  }
  expect((await message("status", id)).stdout).toMatch(/Get the email +2/);

  const dryRun = await message("send", id, "--dry-run");
  expect(dryRun).toMatchObject({ code: 0, stderr: "" });
  expect(dryRun.stdout).toContain(
    "Dry run: 2 people would get “News for {{firstName}}”, at most 36,000 emails per hour.",
  );
  expect(await json("status", id)).toMatchObject({ state: "draft", preparedAt: null });
  expect(await message("send", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
});

test("an announcement goes from a Markdown file to the subscribers' inboxes, and status follows it", async () => {
  await addPeople(mail.db, everyKind);
  const id = await create();
  const sent = await message("send", id, "--yes");
  expect(sent).toMatchObject({ code: 0, stderr: "" });
  expect(sent.stdout).toContain(`Message ${id} goes to 2 people`);
  expect(sent.stdout).toContain(`npx waitlist message status ${id}`);
  await mail.startWorker();
  await isDone(id);
  expect(recipients()).toEqual(["ada@example.com", "bob@example.com"]);
  expect(mail.smtp.mails[0]).toMatchObject({ subject: "News for Ada", text: expect.stringContaining("Hi Ada, read") });
  const status = await message("status", id);
  expect(status.stdout).toMatch(/^State +done$/m);
  expect(status.stdout).toMatch(/^Sent +2$/m);
  expect((await message("status")).stdout).toMatch(new RegExp(`^${id} .* done +2 +0 +0$`, "m"));
  expect(await message("send", id, "--yes")).toMatchObject({
    code: 1,
    stdout: `Nothing was changed: message ${id} is done.\n`,
  });
});

test("the filters of list choose the audience", async () => {
  await addPeople(mail.db, everyKind);
  expect(await json("new", "--subject", "Hi", "--body", body, "--no-newsletter")).toMatchObject({
    matching: 1,
    recipients: 0,
    refused: { unsubscribed: 1 },
  });
  const id = await create("--newsletter", "--since", "2026-01-01", "--no-invited", "--source", "news");
  expect((await json("status", id)).audience).toEqual({
    newsletter: true,
    since: "2026-01-01T00:00:00.000Z",
    invited: false,
    source: "news",
  });
  expect(await message("send", id, "--yes")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("Nobody would"),
  });
});

test("pause stops a message, resume goes on, and cancel stops it for good", { timeout: 60_000 }, async () => {
  // Two minutes of mail, so that on a slow machine it isn't all sent before it is canceled.
  await addMany(mail.db, 600);
  const id = await create("--per-hour", "18000");
  expect(await message("pause", id)).toMatchObject({
    code: 1,
    stdout: `Nothing was changed: message ${id} is still a draft.\n`,
  });
  await message("send", id, "--yes");
  await mail.startWorker();
  await expect.poll(() => mail.smtp.mails.length, { timeout: 10_000 }).toBeGreaterThan(2);
  const paused = await message("pause", id);
  expect(paused).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Paused message \d+\. \d+ people left/) });
  await pause(500);
  const sent = mail.smtp.mails.length;
  await pause(1000);
  expect(mail.smtp.mails).toHaveLength(sent);
  expect(await json("resume", id)).toMatchObject({ id, state: "sending" });
  await expect.poll(() => mail.smtp.mails.length, { timeout: 10_000 }).toBeGreaterThan(sent);
  expect(await message("cancel", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect(await message("cancel", id, "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Canceled message \d+\. \d+ people won't get it\.\n$/),
  });
  expect((await message("status", id)).stdout).toMatch(/^Not sent +\d\d+$/m);
  expect(await message("resume", id)).toMatchObject({ code: 1 });
  expect(await message("cancel", id, "--yes")).toMatchObject({ code: 1 });
});

test("status says why people were skipped, rejected or failed", async () => {
  const ids = await addPeople(mail.db, everyKind.slice(0, 2));
  const id = await create();
  await message("send", id, "--yes");
  await mail.db
    .updateTable("sign_ups")
    .set({ newsletter: false })
    .where("id", "=", ids[0] ?? "")
    .execute();
  mail.smtp.refuseWith = "554 5.7.1 Blocked";
  await mail.startWorker();
  await isDone(id);
  const { stdout } = await message("status", id);
  expect(stdout).toMatch(/^Skipped +1: 1 not subscribed$/m);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "Failed 1: 1 refused by the mail server (to retry: npx waitlist mail retry)",
  );
  expect((await json("status", id)).reasons).toEqual([
    { state: "failed", reason: "refused", people: 1 },
    { state: "skipped", reason: "unsubscribed", people: 1 },
  ]);
});

test("send goes on after a preparation that was finished but not started", async () => {
  await addMany(mail.db, 3);
  const id = await create();
  await prepareMessage(mail.db, OPERATOR, id);
  expect(await json("send", id, "--yes")).toMatchObject({ id, state: "sending", recipients: 3 });
});

test.each(["edit", "preview", "send", "pause", "resume", "cancel", "status"])(
  "%s of a message that isn't there exits with 1",
  async (command) => {
    // The built-in messages aren't an operator's.
    const [missing, builtIn, invalid] = await Promise.all(["999999", "1", "one"].map((id) => message(command, id)));
    expect(missing).toMatchObject({
      code: 1,
      stdout: "There is no message 999999. To see all of them: npx waitlist message status\n",
    });
    expect(builtIn?.code).toBe(1);
    expect(invalid?.code).toBe(2);
  },
);
