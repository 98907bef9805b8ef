import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { countMatching } from "#core/people/filter.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { ORIGIN, SECRET, useMail } from "#tests/support/mail-worker.ts";
import { addPeople } from "#tests/support/people.ts";
import { runCommand } from "#tests/support/run-command.ts";

const mail = useMail();
const INVITE = {
  INVITE_URL: "https://app.farwatch.example/join",
  INVITE_KEYS: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const folder = mkdtempSync(join(tmpdir(), "farwatch-invite-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Of these, three confirmed their address and aren't invited. */
const everyKind = [
  { email: "invited@example.com", invited: true },
  { email: "unconfirmed@example.com", confirmed: false },
  { email: "one@example.com", firstName: "Grace" },
  { email: "two@example.com", newsletter: false },
  { email: "three@example.com" },
];
let settings: Record<string, string>;
beforeEach(async () => {
  settings = { SECRET, PUBLIC_ORIGIN: ORIGIN, SMTP_URL: mail.smtp.url, ...INVITE };
  await addPeople(mail.db, everyKind);
});

const run = (...args: string[]) => runCommand({ DATABASE_URL: mail.url, ...settings }, args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
const invited = () => countMatching(mail.db, { invited: true });
const messages = async () => (await mail.db.selectFrom("messages").select("id").where("id", ">", "2").execute()).length;
const aFile = (text: string) => {
  const file = join(folder, "invitation.md");
  writeFileSync(file, text);
  return file;
};

describe("invite --send", () => {
  test("emails the next people their own link, in the order they joined, and marks them as invited", async () => {
    const { code, stdout } = await run("invite", "--next", "2", "--send", "--per-hour", "36000", "--yes");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Invited 2 people in wave \d+\. Message \d+ emails them, at most 36,000 emails per hour\./);
    expect(await invited()).toBe(3);
    await mail.startWorker(INVITE);
    await mail.arrived(2);
    const arrived = mail.smtp.mails.map(({ to, subject, text }) => ({ to: to?.[0]?.address, subject, text }));
    expect(arrived.map(({ to }) => to).sort()).toEqual(["one@example.com", "two@example.com"]);
    const first = arrived.find(({ to }) => to === "one@example.com");
    expect(first?.subject).toBe(`You're invited to ${brand.name}`);
    expect(first?.text).toContain("Hi Grace,");
    expect(first?.text).toContain("works for 30 days");
    const links = arrived.map(
      ({ text }) => /https:\/\/app\.farwatch\.example\/join\?invitation=[\w.-]+/.exec(text ?? "")?.[0],
    );
    expect(new Set(links).size).toBe(2);
    expect(links).not.toContain(undefined);
  });

  test("--dry-run shows who would get it and why the others wouldn't, and changes nothing", async () => {
    const { stdout, code } = await run("invite", "--next", "2", "--send", "--per-day", "200", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/Match the filters +5\nGet the email +2\nDon't get it +3\n/);
    for (const reason of ["already invited", "address not confirmed", "after these in line"]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${reason} +1$`, "m"));
    }
    expect(stdout).toContain("Dry run: 2 people would be invited, at most 200 emails per day.");
    expect([await invited(), await messages()]).toEqual([1, 0]);
  });

  test("--test sends it to the operator, and invites nobody", async () => {
    const file = aFile("Hi {{firstName}}: {{inviteUrl}}");
    const args = ["--subject", "Come in, {{firstName}}", "--body", file, "--test", "me@example.com"];
    expect(await run("invite", "--send", ...args)).toMatchObject({
      code: 0,
      stdout: "Sent the test to me@example.com\n",
    });
    expect(mail.smtp.mails).toMatchObject([
      { subject: "[Test] Come in, Ada", text: expect.stringContaining(`Hi Ada: ${INVITE.INVITE_URL}?invitation=`) },
    ]);
    expect([await invited(), await messages()]).toEqual([1, 0]);
  });

  test("without INVITE_URL, only a text without {{inviteUrl}} can be sent", async () => {
    settings = { ...settings, INVITE_URL: "", INVITE_KEYS: "" };
    const refusal = { code: 2, stderr: expect.stringContaining("{{inviteUrl}} needs INVITE_URL and INVITE_KEYS") };
    expect(await run("invite", "--all", "--send", "--yes")).toMatchObject(refusal);
    expect(await run("invite", "--all", "--send", "--yes", "--body", aFile("{{inviteUrl}}"))).toMatchObject(refusal);
    expect(await invited()).toBe(1);
    expect(await run("invite", "--all", "--send", "--yes", "--body", aFile("Come in"))).toMatchObject({ code: 0 });
  });
});

describe("invite without --send", () => {
  test("invites only people who confirmed their address if mail is on, and says so", async () => {
    const { stdout, stderr } = await run("invite", "--all", "--yes");
    expect(stdout).toContain("Invited 3 people in wave");
    expect(stderr).toBe("Mail is on: only people who confirmed their address. For the others, add --no-confirmed.\n");
    expect(await run("invite", "--all", "--no-confirmed", "--yes")).toMatchObject({
      stdout: expect.stringContaining("Invited 1 person in wave"),
      stderr: "",
    });
    expect(await messages()).toBe(0);
  });

  test("invites everyone if mail is off, once; --dry-run invites nobody", async () => {
    settings = {};
    expect(await json("invite", "--next", "3", "--dry-run")).toEqual({ wouldInvite: 3 });
    expect(await invited()).toBe(1);
    const { id } = await json("invite", "--next", "3", "--yes");
    expect((await run("export", "--wave", id)).stdout.trim().split("\n")).toHaveLength(4);
    expect(await json("invite", "--all", "--yes")).toMatchObject({ invited: 1 });
    expect(await run("invite", "--all", "--yes")).toMatchObject({
      code: 1,
      stdout: "No matching people left to invite.\n",
    });
  });
});

test.each([
  ["invite: a pace without --send", ["invite", "--all", "--per-day", "5"], "need --send"],
  ["invite: neither --next nor --all", ["invite", "--send"], "Choose --next 500 or --all"],
  ["invite: no mail settings", ["invite", "--all", "--send"], "Mail is off here. Set SMTP_URL"],
  ["uninvite: nobody", ["uninvite"], "Choose an email address or --wave 12, not both."],
  ["uninvite: both", ["uninvite", "ada@example.com", "--wave", "1"], "Choose an email address or --wave 12, not both."],
  ["uninvite: no --yes", ["uninvite", "invited@example.com"], "Add --yes"],
])("refuses %s", async (_name, args, reason) => {
  settings = {};
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  expect(await invited()).toBe(1);
});

describe("uninvite", () => {
  test("takes one person's invitation back; --dry-run takes none", async () => {
    expect(await run("uninvite", "invited@example.com", "--dry-run")).toMatchObject({
      code: 0,
      stdout:
        "Dry run: would take back the invitation of invited@example.com.\nAnyone who was already told still thinks they are invited.\n",
    });
    expect(await invited()).toBe(1);
    expect(await run("uninvite", "INVITED@example.com", "--yes")).toMatchObject({
      code: 0,
      stdout: "Took back 1 invitation. Anyone who was already told still thinks they are invited.\n",
    });
    expect(await run("uninvite", "invited@example.com", "--yes")).toMatchObject({
      code: 1,
      stdout: "invited@example.com isn't invited.\n",
    });
    expect((await run("uninvite", "nobody@example.com", "--yes")).code).toBe(1);
  });

  test("--wave takes back that wave only", async () => {
    const [first, second] = [await inviteNext(mail.db, OPERATOR, {}, 2), await inviteNext(mail.db, OPERATOR, {}, 1)];
    expect(await json("uninvite", "--wave", first.id, "--dry-run")).toEqual({ wouldUninvite: 2 });
    expect(await json("uninvite", "--wave", first.id, "--yes")).toEqual({ uninvited: 2 });
    expect(await json("list", "--wave", second.id)).toHaveLength(1);
    expect(await run("uninvite", "--wave", first.id, "--yes")).toMatchObject({
      code: 1,
      stdout: `Nobody is in wave ${first.id}.\n`,
    });
  });
});
