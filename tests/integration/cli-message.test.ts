import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readMessage } from "#core/messages/messages.ts";
import { createMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useFolder } from "#tests/support/folder.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { NEWS, sendNews } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { runCommand } from "#tests/support/run-command.ts";

const mail = useMail();
const { folder, aFile } = useFolder();

const message = (...args: string[]) => runCommand(mail.settings(), ["message", ...args]);
const json = async (...args: string[]) => JSON.parse((await message(...args, "--json")).stdout);
const TEXT = ["--subject", "News for {{firstName}}", "--body", aFile("news.md", "Hi **{{firstName}}**")];
const LATIN1 = aFile("latin1.md", Buffer.from([0x48, 0xe9]));
const create = async () => (await createMessage(mail.db, OPERATOR, NEWS)).id;
const nothingChanged = (id: string, state: string) => ({
  code: 1,
  stdout: `Nothing was changed: message ${id} is ${state}.\n`,
});

test("new, send and status show the recipients, why others don't get it, and the progress", async () => {
  await addPeople(mail.db, [
    { email: "ada@example.com" },
    { email: "bob@example.com" },
    { email: "unsubscribed@example.com", newsletter: false },
    { email: "rejected@example.com", rejected: true },
  ]);
  const saved = await message("new", ...TEXT, "--per-hour", "36000");
  const id = /Saved message (\d+) as a draft/.exec(saved.stdout)?.[1] ?? "";
  const split = /Match the filters +4\nGet the email +2\nDon't get it +2\n {2}(not subscribed|address suppressed) +1\n/;
  for (const { stdout } of [saved, await message("status", id)]) expect(stdout).toMatch(split);
  expect((await message("send", id, "--dry-run")).stdout).toContain(
    "Dry run: 2 people would get “News for {{firstName}}”, at most 36,000 emails per hour.",
  );
  expect(await message("send", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect(await message("pause", id)).toMatchObject(nothingChanged(id, "still a draft"));

  expect((await message("send", id, "--yes")).stdout).toContain(`Message ${id} goes to 2 people`);
  await mail.db.pool.query("update sign_ups set newsletter = false where email = 'bob@example.com'");
  await mail.db.pool.query("update messages set pace = null, pace_unit = null");
  await mail.deliver("refused");
  await mail.deliver();
  const { stdout } = await message("status", id);
  expect(stdout).toMatch(/^State +done$/m);
  expect(stdout).toMatch(/^Skipped +1: 1 not subscribed$/m);
  expect(stdout).toMatch(/^Failed +1: 1 refused by the mail server \(to retry: npx waitlist/m);
  expect((await json("status", id)).reasons).toEqual([
    { state: "failed", reason: "refused", people: 1 },
    { state: "skipped", reason: "unsubscribed", people: 1 },
  ]);
  expect((await message("status")).stdout).toMatch(new RegExp(`^${id} .* done +0 +0 +1$`, "m"));
});

test("send --at schedules a message, in UTC", async () => {
  await addMany(mail.db, 3);
  const id = await create();
  expect(await message("send", id, "--yes", "--at", "2026-01-01T09:00")).toMatchObject({ code: 2, stdout: "" });
  const { stdout } = await message("send", id, "--yes", "--at", "2099-12-31T09:00");
  expect(stdout).toContain(`Message ${id} goes to 3 people, from 2099-12-31 09:00 UTC, as fast as`);
  expect((await message("status", id)).stdout).toMatch(/^State +scheduled\n(.+\n)+Starts +2099-12-31 09:00$/m);
});

test("cancel asks first, and says how many people are left and who stays invited", async () => {
  await addMany(mail.db, 3);
  const id = await sendNews(mail.db, { kind: "invitation" });
  const { waveId } = (await readMessage(mail.db, id)) ?? {};
  expect(await message("send", id, "--yes")).toMatchObject(nothingChanged(id, "being sent already"));
  expect(await message("cancel", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect((await message("cancel", id, "--yes")).stdout).toBe(
    `Canceled message ${id}. 3 people won't get it. Everyone in wave ${waveId} stays invited.\n`,
  );
});

test("list's filters choose the audience; edit changes only what it is given, and replaces all filters together", async () => {
  await addMany(mail.db, 1);
  const filters = ["--newsletter", "--since", "2026-01-01", "--no-invited", "--source", "news"];
  const { id } = await json("new", ...TEXT, ...filters, "--per-hour", "5");
  expect((await readMessage(mail.db, id))?.audience).toEqual({
    newsletter: true,
    since: new Date("2026-01-01"),
    invited: false,
    source: "news",
  });
  expect(await message("send", id, "--yes")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("Nobody would"),
  });
  const edited = await message("edit", id, "--subject", "More news", "--newsletter");
  expect(edited.stdout).toMatch(new RegExp(`^Saved message ${id}, still a draft\\.\n\nMatch the filters +1\n`));
  const pace = { count: 5, unit: "hour" };
  expect(await json("status", id)).toMatchObject({ subject: "More news", audience: { newsletter: true }, pace });
  await message("edit", id, "--everyone", "--no-pace");
  expect(await json("status", id)).toMatchObject({ subject: "More news", audience: {}, pace: null });
});

test.each([
  ["an unknown placeholder", ["new", ...TEXT, "--subject", "Hi {{nickname}}"], "Unknown placeholder {{nickname}}"],
  ["two paces", ["new", ...TEXT, "--per-hour", "1", "--per-day", "1"], "Choose --per-hour or --per-day"],
  ["a body that isn't UTF-8", ["new", ...TEXT, "--body", LATIN1], `${LATIN1} isn't a text file in UTF-8.`],
  ["nothing to change", ["edit", "ID"], "Choose what to change"],
  ["filters and none", ["edit", "ID", "--everyone", "--company", "Acme"], "Choose filters or --everyone"],
  ["a pace and none", ["edit", "ID", "--per-day", "5", "--no-pace"], "Choose a pace or --no-pace"],
])("refuses a draft with %s", async (_name, args, reason) => {
  const id = await create();
  expect(await message(...args.map((arg) => arg.replace("ID", id)))).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(reason),
  });
  expect(await json("status")).toMatchObject([{ id, audience: {}, pace: null }]);
});

test("preview prints the text for a sample person without control characters, or writes the HTML", async () => {
  const file = aFile("red.md", "Hi **{{firstName}}** \u001b[31m");
  const { id } = await json("new", "--subject", "For {{firstName}} \u202e", "--body", file);
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

test("test sends the message to the operator, or says why the mail server refuses it", async () => {
  const id = await create();
  const sendTest = () => message("test", id, "Me@example.com");
  expect(await sendTest()).toMatchObject({ code: 0, stdout: "Sent the test to Me@example.com\n" });
  expect(mail.smtp.mails).toMatchObject([{ subject: "[Test] News", to: [{ address: "Me@example.com" }] }]);
  mail.smtp.refuseWith = "550 5.1.1 No such mailbox";
  const rejected = "The mail server doesn't accept this address: Me@example.com\n";
  expect(await sendTest()).toMatchObject({ code: 1, stdout: rejected });
  await mail.smtp.stop();
  expect(await sendTest()).toMatchObject({ code: 1, stdout: expect.stringMatching(/The mail server \S+ failed:/) });
});

test.each(["edit", "preview", "send", "pause", "resume", "cancel", "status"])(
  "%s of a message that isn't there, or is built in, exits with 1",
  async (command) => {
    const stdout = "There is no message 999999. To list all messages: npx waitlist message status\n";
    expect(await message(command, "999999")).toMatchObject({ code: 1, stdout });
    expect((await message(command, "2")).code).toBe(1);
  },
);
