import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { everyKind, useMessageCommand } from "#tests/support/message-command.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { runNode } from "#tests/support/run-node.ts";

const { mail, folder, body, message, json, create } = useMessageCommand();

describe("a draft that can't be sent is refused:", () => {
  test.each([
    ["an unknown placeholder", ["--subject", "Hi {{nickname}}"], "Unknown placeholder {{nickname}}"],
    ["two paces", ["--subject", "Hi", "--per-hour", "1", "--per-day", "1"], "Choose --per-hour or --per-day"],
    ["a limit that only invitations have", ["--subject", "Hi", "--next", "5"], "Only an invitation can be limited"],
    ["a file that isn't there", ["--subject", "Hi", "--body", "no-such.md"], "Can't access the file"],
    ["an unknown kind", ["--subject", "Hi", "--kind", "spam"], "Allowed choices are announcement, invitation"],
  ])("%s", async (_name, args, reason) => {
    expect(await message("new", "--body", body, ...args)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(reason),
    });
    expect(await json("status")).toEqual([]);
  });

  test("a body that isn't UTF-8", async () => {
    const file = join(folder, "latin1.md");
    writeFileSync(file, Buffer.from([0x48, 0xe9]));
    expect(await message("new", "--subject", "Hi", "--body", file)).toMatchObject({
      code: 2,
      stderr: `${file} isn't a text file in UTF-8.\n`,
    });
  });
});

describe("edit", () => {
  test("changes what it names, and the filters as a whole", async () => {
    await addPeople(mail.db, everyKind);
    const id = await create("--campaign", "launch", "--per-hour", "5");
    const edited = await message("edit", id, "--subject", "More news", "--newsletter");
    expect(edited).toMatchObject({ code: 0, stderr: "" });
    expect(edited.stdout).toContain(`Saved message ${id}, still a draft.`);
    expect(edited.stdout).toMatch(/Match the filters +4\nGet the email +2\n/);
    expect(await json("status", id)).toMatchObject({
      subject: "More news",
      audience: { newsletter: true },
      pace: { count: 5, unit: "hour" },
    });
    await message("edit", id, "--everyone", "--no-pace", "--body", body);
    expect(await json("status", id)).toMatchObject({ subject: "More news", audience: {}, pace: null });
  });

  test.each([
    ["nothing to change", [], "Name what to change"],
    ["an unknown placeholder", ["--subject", "Hi {{nickname}}"], "Unknown placeholder {{nickname}}"],
    ["filters and none", ["--everyone", "--company", "Acme"], "Choose filters or --everyone"],
    ["a pace and none", ["--per-day", "5", "--no-pace"], "Choose a pace or --no-pace"],
  ])("refuses %s", async (_name, args, reason) => {
    const id = await create("--per-hour", "5");
    expect(await message("edit", id, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
    expect(await json("status", id)).toMatchObject({ subject: "News for {{firstName}}", pace: { count: 5 } });
  });

  test("refuses a message that was sent", async () => {
    await addMany(mail.db, 1);
    const id = await create();
    await message("send", id, "--yes");
    expect(await message("edit", id, "--subject", "Too late")).toMatchObject({
      code: 1,
      stdout: `Nothing was changed: message ${id} is being sent already.\n`,
    });
  });
});

test("preview prints the text for a sample person, or writes the HTML", async () => {
  const id = await create();
  const { stdout } = await message("preview", id);
  expect(stdout).toContain("Subject: News for Ada\n\n");
  expect(stdout).toContain("Hi Ada, read");
  const out = join(folder, "preview.html");
  expect(await message("preview", id, "--out", out)).toMatchObject({ code: 0, stdout: `Wrote ${out}\n` });
  expect(readFileSync(out, "utf8")).toContain("Hi <strong>Ada</strong>");
});

test("control characters of a draft don't reach the terminal", async () => {
  const file = join(folder, "escape.md");
  writeFileSync(file, "Hi \u001b[31mred\u001b[0m\n");
  const id = (await json("new", "--subject", "Turned \u202e around", "--body", file)).id;
  for (const args of [["preview", id], ["status"], ["status", id]]) {
    const { stdout, code } = await message(...args);
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b[31m");
    expect(stdout).not.toContain("\u202e");
  }
});

describe("test", () => {
  test("sends the message to the operator only, and is no delivery", async () => {
    await addMany(mail.db, 2);
    const id = await create();
    expect(await message("test", id, "Me@example.com")).toMatchObject({
      code: 0,
      stdout: "Sent the test to Me@example.com\n",
    });
    expect(mail.smtp.mails).toMatchObject([{ subject: "[Test] News for Ada", to: [{ address: "Me@example.com" }] }]);
    expect(await json("status", id)).toMatchObject({ state: "draft", progress: { pending: 0, sent: 0 } });
  });

  test("says when the mail server refuses it, or is down", async () => {
    const id = await create();
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

  test("names the settings that are missing", async () => {
    const id = await create();
    const args = ["message", "test", id, "me@example.com"];
    expect(await runNode("cli/waitlist.ts", { DATABASE_URL: mail.url }, args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Set SMTP_URL, MAIL_FROM, SECRET and PUBLIC_ORIGIN to the servers' values"),
    });
  });
});
