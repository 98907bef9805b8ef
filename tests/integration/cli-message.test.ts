import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readMessage } from "#core/messages/messages.ts";
import { ORIGIN, SECRET, useMail } from "#tests/support/mail-worker.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { runCommand } from "#tests/support/run-command.ts";

const mail = useMail();
const folder = mkdtempSync(join(tmpdir(), "farwatch-message-"));
afterAll(() => rmSync(folder, { recursive: true }));

function aFile(content: string | Buffer): string {
  const file = join(folder, "news.md");
  writeFileSync(file, content);
  return file;
}

const run = (settings: Record<string, string>, ...args: string[]) =>
  runCommand({ DATABASE_URL: mail.url, ...settings }, ["message", ...args]);
/** With the servers' mail settings. */
const message = (...args: string[]) => run({ SECRET, PUBLIC_ORIGIN: ORIGIN, SMTP_URL: mail.smtp.url }, ...args);
const json = async (...args: string[]) => JSON.parse((await message(...args, "--json")).stdout);
const draft = (...args: string[]) => [
  "--subject",
  "News for {{firstName}}",
  "--body",
  aFile("Hi **{{firstName}}**"),
  ...args,
];
const create = async (...args: string[]): Promise<string> => (await json("new", ...draft(...args))).id;

test("new, send and status show who gets it, why the others don't, and how far it is", async () => {
  await addPeople(mail.db, [
    { email: "ada@example.com" },
    { email: "bob@example.com" },
    { email: "unsubscribed@example.com", newsletter: false },
    { email: "unconfirmed@example.com", confirmed: false },
    { email: "rejected@example.com", rejected: true },
  ]);
  const saved = await message("new", ...draft("--per-hour", "36000"));
  expect(saved).toMatchObject({ code: 0, stderr: "" });
  const id = /Saved message (\d+) as a draft/.exec(saved.stdout)?.[1] ?? "";
  expect(saved.stdout).toMatch(/Match the filters +5\nGet the email +2\nDon't get it +3\n/);
  for (const reason of ["not subscribed", "address not confirmed", "address rejected"]) {
    expect(saved.stdout).toMatch(new RegExp(`^ {2}${reason} +1$`, "m"));
  }
  expect((await message("status", id)).stdout).toMatch(/Get the email +2/);
  expect((await message("send", id, "--dry-run")).stdout).toContain(
    "Dry run: 2 people would get “News for {{firstName}}”, at most 36,000 emails per hour.",
  );
  expect(await message("send", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect(await json("status", id)).toMatchObject({ state: "draft", preparedAt: null });

  const sent = await message("send", id, "--yes");
  expect(sent.stdout).toContain(`Message ${id} goes to 2 people`);
  expect(sent.stdout).toContain(`npx waitlist message status ${id}`);
  await mail.db.pool.query("update sign_ups set newsletter = false where email = 'bob@example.com'");
  await mail.db.pool.query("update messages set pace = null, pace_unit = null");
  await mail.deliver("refused");
  await mail.deliver();
  const { stdout } = await message("status", id);
  expect(stdout).toMatch(/^State +done$/m);
  expect(stdout).toMatch(/^Skipped +1: 1 not subscribed$/m);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "Failed 1: 1 refused by the mail server (to retry: npx waitlist mail retry)",
  );
  expect((await json("status", id)).reasons).toEqual([
    { state: "failed", reason: "refused", people: 1 },
    { state: "skipped", reason: "unsubscribed", people: 1 },
  ]);
  expect((await message("status")).stdout).toMatch(new RegExp(`^${id} .* done +0 +0 +1$`, "m"));
});

test("pause, resume and cancel say how many people are left", async () => {
  await addMany(mail.db, 3);
  const id = await sendNews(mail.db);
  expect(await message("send", id, "--yes")).toMatchObject({
    code: 1,
    stdout: `Nothing was changed: message ${id} is being sent already.\n`,
  });
  expect((await message("pause", id)).stdout).toMatch(new RegExp(`^Paused message ${id}\\. 3 people left`));
  expect(await json("resume", id)).toMatchObject({ id, state: "sending" });
  expect(await message("cancel", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect(await message("cancel", id, "--yes")).toMatchObject({
    code: 0,
    stdout: `Canceled message ${id}. 3 people won't get it.\n`,
  });
  expect((await message("status", id)).stdout).toMatch(/^Not sent +3$/m);
  expect(await message("resume", id)).toMatchObject({
    code: 1,
    stdout: `Nothing was changed: message ${id} is canceled.\n`,
  });
});

test("an invitation that was interrupted says whom it has, and what canceling it leaves", async () => {
  const [ada] = await addMany(mail.db, 3);
  const id = await create("--kind", "invitation", "--next", "2");
  await mail.db.pool.query(
    `with wave as (insert into waves (invited_at) values (now()) returning id),
      message as (update messages set preparing_since = now(), wave_id = (select id from wave) where id = $1),
      person as (update sign_ups set invited_at = now(), wave_id = (select id from wave) where id = $2)
    insert into deliveries (message_id, sign_up_id) values ($1, $2)`,
    [id, ada],
  );
  const { stdout } = await message("send", id, "--dry-run");
  expect(stdout).toContain("Besides, 1 person in its audience already.");
  expect(stdout).toContain("Dry run: 2 people would get");
  const { waveId } = await json("send", id, "--yes");
  expect(await message("cancel", id, "--yes")).toMatchObject({
    stdout: `Canceled message ${id}. 2 people won't get it. Everyone in wave ${waveId} stays invited.\n`,
  });
});

test("the filters of list choose the audience, and edit changes what it names, the filters as a whole", async () => {
  await addPeople(mail.db, [{ email: "ada@example.com" }, { email: "bob@example.com", newsletter: false }]);
  const id = await create(
    "--newsletter",
    "--since",
    "2026-01-01",
    "--no-invited",
    "--source",
    "news",
    "--per-hour",
    "5",
  );
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
  expect(await message("pause", id)).toMatchObject({
    code: 1,
    stdout: `Nothing was changed: message ${id} is still a draft.\n`,
  });
  const edited = await message("edit", id, "--subject", "More news", "--no-newsletter");
  expect(edited.stdout).toContain(`Saved message ${id}, still a draft.`);
  expect(edited.stdout).toMatch(/Match the filters +1\nGet the email +0\n/);
  expect(await json("status", id)).toMatchObject({
    subject: "More news",
    audience: { newsletter: false },
    pace: { count: 5, unit: "hour" },
  });
  await message("edit", id, "--everyone", "--no-pace");
  expect(await json("status", id)).toMatchObject({ subject: "More news", audience: {}, pace: null });
});

describe("a draft is refused with", () => {
  test.each([
    ["an unknown placeholder", ["--subject", "Hi {{nickname}}"], "Unknown placeholder {{nickname}}"],
    ["two paces", ["--per-hour", "1", "--per-day", "1"], "Choose --per-hour or --per-day"],
    ["a limit that only invitations have", ["--next", "5"], "Only an invitation can be limited"],
    ["a file that isn't there", ["--body", "no-such.md"], "Can't access the file"],
    ["an unknown kind", ["--kind", "spam"], "Allowed choices are announcement, invitation"],
  ])("%s", async (_name, args, reason) => {
    const refusal = { code: 2, stdout: "", stderr: expect.stringContaining(reason) };
    expect(await message("new", ...draft(...args))).toMatchObject(refusal);
    expect(await json("status")).toEqual([]);
  });

  test("a body that isn't UTF-8", async () => {
    const file = aFile(Buffer.from([0x48, 0xe9]));
    expect(await message("new", "--subject", "Hi", "--body", file)).toMatchObject({
      code: 2,
      stderr: `${file} isn't a text file in UTF-8.\n`,
    });
  });

  test.each([
    ["nothing to change", [], "Name what to change"],
    ["filters and none", ["--everyone", "--company", "Acme"], "Choose filters or --everyone"],
    ["a pace and none", ["--per-day", "5", "--no-pace"], "Choose a pace or --no-pace"],
  ])("%s, when it is edited", async (_name, args, reason) => {
    const id = await create("--per-hour", "5");
    expect(await message("edit", id, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
    expect(await readMessage(mail.db, id)).toMatchObject({ audience: {}, pace: { count: 5 } });
  });
});

test("preview prints the text for a sample person without control characters, or writes the HTML", async () => {
  const { id } = await json(
    "new",
    "--subject",
    "For {{firstName}} \u202e",
    "--body",
    aFile("Hi **{{firstName}}** \u001b[31m"),
  );
  const { stdout } = await message("preview", id);
  expect(stdout).toMatch(/^Subject: For Ada .*\n\nHi Ada /);
  for (const text of [stdout, (await message("status")).stdout, (await message("status", id)).stdout]) {
    expect(text).not.toContain("\u001b[31m");
    expect(text).not.toContain("\u202e");
  }
  const out = join(folder, "preview.html");
  expect(await message("preview", id, "--out", out)).toMatchObject({ code: 0, stdout: `Wrote ${out}\n` });
  expect(readFileSync(out, "utf8")).toContain("Hi <strong>Ada</strong>");
});

test("test sends the message to the operator, or says why the mail server doesn't take it", async () => {
  const id = await create();
  expect(await run({}, "test", id, "me@example.com")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Set SMTP_URL, MAIL_FROM, SECRET and PUBLIC_ORIGIN to the servers' values"),
  });
  expect(await message("test", id, "Me@example.com")).toMatchObject({
    code: 0,
    stdout: "Sent the test to Me@example.com\n",
  });
  expect(mail.smtp.mails).toMatchObject([{ subject: "[Test] News for Ada", to: [{ address: "Me@example.com" }] }]);
  mail.smtp.refuseWith = "550 5.1.1 No such mailbox";
  expect(await message("test", id, "me@example.com")).toMatchObject({
    code: 1,
    stdout: "The mail server doesn't accept this address: me@example.com\n",
  });
  await mail.smtp.stop();
  expect(await message("test", id, "me@example.com")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("The mail server failed:"),
  });
});

test.each(["edit", "preview", "send", "pause", "resume", "cancel", "status"])(
  "%s of a message that isn't there exits with 1",
  async (command) => {
    expect(await message(command, "999999")).toMatchObject({
      code: 1,
      stdout: "There is no message 999999. To see all of them: npx waitlist message status\n",
    });
    // The built-in messages aren't an operator's.
    expect((await message(command, "1")).code).toBe(1);
    expect((await message(command, "one")).code).toBe(2);
  },
);
