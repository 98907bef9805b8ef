import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { readMessage } from "#core/messages/messages.ts";
import { countMatching } from "#core/people/filter.ts";
import { ORIGIN, SECRET, useMail } from "#tests/support/mail-worker.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { runNode } from "#tests/support/run-node.ts";

const mail = useMail();
const INVITE = {
  INVITE_URL: "https://app.farwatch.example/join",
  INVITE_KEYS: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
let settings: Record<string, string>;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "farwatch-invite-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  settings = { SECRET, PUBLIC_ORIGIN: ORIGIN, SMTP_URL: mail.smtp.url, ...INVITE };
});

const run = (...args: string[]) => runNode("cli/waitlist.ts", { DATABASE_URL: mail.url, ...settings }, args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
const invited = () => countMatching(mail.db, { invited: true });
const messages = async () => (await mail.db.selectFrom("messages").select("id").where("id", ">", "2").execute()).length;
const aFile = (text: string) => {
  const file = join(folder, "invitation.md");
  writeFileSync(file, text);
  return file;
};

const everyKind = [
  { email: "invited@example.com", invited: true },
  { email: "unconfirmed@example.com", confirmed: false },
  { email: "one@example.com", firstName: "Grace" },
  { email: "two@example.com", newsletter: false },
  { email: "three@example.com" },
];

describe("invite --send", () => {
  test("emails the next people their own link, in the order they joined, and marks them as invited", async () => {
    await addPeople(mail.db, everyKind);
    const { code, stdout } = await run("invite", "--next", "2", "--send", "--per-hour", "36000", "--yes");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Invited 2 people in wave \d+\. Message \d+ emails them, at most 36,000 emails per hour\./);
    const id = /message status (\d+)/.exec(stdout)?.[1] ?? "";
    expect(await invited()).toBe(3);
    await mail.startWorker(INVITE);
    await expect.poll(async () => (await readMessage(mail.db, id))?.state, { timeout: 20_000 }).toBe("done");
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
    await addPeople(mail.db, everyKind);
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
    await addPeople(mail.db, everyKind);
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

  test("goes on with its message after an interruption, and invites no more than it should", async () => {
    await addMany(mail.db, 1500);
    const { id } = await json(
      "message",
      "new",
      "--kind",
      "invitation",
      "--next",
      "1200",
      "--subject",
      "Hi",
      "--body",
      aFile("Hi"),
    );
    // As if killed after the first of its chunks.
    await mail.db.pool.query("insert into waves (invited_at) values (now())");
    await mail.db.pool.query(
      "update messages set wave_id = (select max(id) from waves), preparing_since = now() where id = $1",
      [id],
    );
    await mail.db.pool.query(
      `with first as (
        update sign_ups set wave_id = (select max(id) from waves), invited_at = (select max(invited_at) from waves)
        where id in (select id from sign_ups order by id limit 1000) returning id
      ) insert into deliveries (message_id, sign_up_id) select $1, id from first`,
      [id],
    );
    const dryRun = await run("message", "send", id, "--dry-run");
    expect(dryRun.stdout).toContain("Besides, 1,000 people in its audience already.");
    expect(dryRun.stdout).toContain("Dry run: 1,200 people would get");
    expect(await json("message", "send", id, "--yes")).toMatchObject({ state: "sending", recipients: 1200 });
    expect(await invited()).toBe(1200);
  });

  test("a canceled invitation says that its wave stays invited", async () => {
    await addMany(mail.db, 3);
    const { id, waveId } = await json("invite", "--all", "--send", "--yes");
    expect(await run("message", "cancel", id, "--yes")).toMatchObject({
      stdout: `Canceled message ${id}. 3 people won't get it. Everyone in wave ${waveId} stays invited.\n`,
    });
  });

  test("without INVITE_URL, only a text without {{inviteUrl}} can be sent", async () => {
    await addMany(mail.db, 1);
    const { INVITE_URL: _url, INVITE_KEYS: _keys, ...rest } = settings;
    settings = rest;
    const refusal = { code: 2, stderr: expect.stringContaining("{{inviteUrl}} needs INVITE_URL and INVITE_KEYS") };
    expect(await run("invite", "--all", "--send", "--yes")).toMatchObject(refusal);
    expect(await run("invite", "--all", "--send", "--yes", "--body", aFile("{{inviteUrl}}"))).toMatchObject(refusal);
    expect(await invited()).toBe(0);
    expect(await run("invite", "--all", "--send", "--yes", "--body", aFile("Come in"))).toMatchObject({ code: 0 });
  });

  test.each([
    ["a pace without --send", ["--all", "--per-day", "5"], "need --send"],
    ["neither --next nor --all", ["--send"], "Choose --next 500 or --all"],
  ])("is refused with %s", async (_name, args, reason) => {
    expect(await run("invite", ...args, "--yes")).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  });

  test("without mail it is refused, and names the settings", async () => {
    await addMany(mail.db, 1);
    settings = {};
    expect(await run("invite", "--all", "--send", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Mail is off here. Set SMTP_URL"),
    });
    expect(await invited()).toBe(0);
  });
});

describe("invite without --send", () => {
  test("invites only people who confirmed their address if mail is on, and says so", async () => {
    await addPeople(mail.db, everyKind);
    const { stdout, stderr } = await run("invite", "--all", "--yes");
    expect(stdout).toContain("Invited 3 people in wave");
    expect(stderr).toBe("Mail is on: only people who confirmed their address. For the others, add --no-confirmed.\n");
    expect(await run("invite", "--all", "--no-confirmed", "--yes")).toMatchObject({
      stdout: expect.stringContaining("Invited 1 person in wave"),
      stderr: "",
    });
    expect(mail.smtp.mails).toEqual([]);
  });

  test("invites everyone if mail is off", async () => {
    await addPeople(mail.db, everyKind);
    settings = {};
    expect(await run("invite", "--all", "--yes")).toMatchObject({
      stdout: expect.stringContaining("Invited 4 people in wave"),
      stderr: "",
    });
  });
});
