import { beforeEach, describe, expect, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { readAcceptanceSecrets } from "#core/invitations/acceptance-secrets.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { countMatching } from "#core/people/filter.ts";
import { createMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useFolder } from "#tests/support/folder.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { INVITE, useMail } from "#tests/support/mail-worker.ts";
import { NEWS } from "#tests/support/messages.ts";
import { addPeople } from "#tests/support/people.ts";
import { runCommand } from "#tests/support/run-command.ts";

const mail = useMail();
const { aFile } = useFolder();

let settings: Record<string, string>;
beforeEach(async () => {
  settings = { ...mail.settings(), ...INVITE };
  await addPeople(mail.db, [
    { email: "invited@example.com", invited: true },
    { email: "unconfirmed@example.com", confirmed: false },
    { email: "one@example.com", firstName: "Grace" },
    { email: "two@example.com", newsletter: false },
    { email: "three@example.com" },
  ]);
});

const run = (...args: string[]) => runCommand(settings, args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
const invited = () => countMatching(mail.db, { invited: true });

describe("invite --send", () => {
  test("emails the next people their own link, in the order of the line, and marks them as invited", async () => {
    const { stdout } = await run("invite", "--next", "2", "--send", "--per-hour", "36000", "--yes");
    expect(stdout).toMatch(/^Invited 2 people in wave \d+\. Message \d+ emails them, at most 36,000 emails per hour\./);
    expect(await invited()).toBe(3);
    await mail.startWorker(INVITE);
    await mail.arrived(2);
    const mailTo = (recipient: string) => mail.smtp.mails.find(({ to }) => to?.[0]?.address === recipient);
    const [first, second] = [mailTo("one@example.com"), mailTo("two@example.com")];
    expect(first).toMatchObject({
      subject: `You're invited to ${brand.name}`,
      text: expect.stringMatching(/Hi Grace,[\s\S]*works for 30 days/),
    });
    const linkOf = (text = "") => /https:\/\/app\.farwatch\.example\/join\?invitation=[\w.-]+/.exec(text)?.[0];
    expect([linkOf(first?.text), linkOf(second?.text)]).not.toContain(undefined);
    expect(linkOf(second?.text)).not.toBe(linkOf(first?.text));
  });

  test("--dry-run and --test show and send it, and invite nobody", async () => {
    const { stdout } = await run("invite", "--next", "2", "--send", "--per-day", "200", "--dry-run");
    expect(stdout).toMatch(/Match the filters +5\nGet the email +2\nDon't get it +3\n/);
    expect(stdout).toContain("Dry run: 2 people would be invited, at most 200 emails per day.");
    const text = ["--subject", "Come in, {{firstName}}", "--body", aFile("hi.md", "Hi {{firstName}}: {{inviteUrl}}")];
    const tested = await run("invite", "--send", ...text, "--test", "me@example.com");
    expect(tested).toMatchObject({ code: 0, stdout: "Sent the test to me@example.com\n" });
    expect(mail.smtp.mails).toMatchObject([
      { subject: "[Test] Come in, Ada", text: expect.stringContaining(`Hi Ada: ${INVITE.INVITE_URL}?invitation=`) },
    ]);
    expect(await invited()).toBe(1);
    expect(await json("message", "status")).toEqual([]);
  });
});

describe("invite without --send", () => {
  test("invites only people who confirmed their address if the servers send mail, and says so", async () => {
    settings = { DATABASE_URL: mail.url };
    const { stdout, stderr } = await run("invite", "--all", "--yes");
    expect(stdout).toContain("Invited 3 people in wave");
    expect(stderr).toBe("Mail is on, so this invites only confirmed people. For the others, use --no-confirmed.\n");
    expect(await run("invite", "--all", "--no-confirmed", "--yes")).toMatchObject({
      stdout: expect.stringContaining("Invited 1 person in wave"),
      stderr: "",
    });
    expect(await json("message", "status")).toEqual([]);
  });

  test("invites everyone if the servers send no mail, once; --dry-run invites nobody", async () => {
    await switchMail(mail.db, false);
    expect(await json("invite", "--next", "3", "--dry-run")).toEqual({ wouldInvite: 3 });
    expect(await json("invite", "--all", "--no-newsletter", "--dry-run")).toEqual({ wouldInvite: 1 });
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
  ["invite: no link", ["invite", "--all", "--send"], "needs INVITE_URL and INVITE_KEYS. Set them"],
  ["invite: no mail settings", ["invite", "--send", "--test", "me@x.com", "--body", "package.json"], "Set SMTP_URL"],
  ["uninvite: nobody", ["uninvite"], "Choose an email address or --wave 12, not both."],
  ["uninvite: both", ["uninvite", "ada@example.com", "--wave", "1"], "Choose an email address or --wave 12, not both."],
  ["uninvite: no --yes", ["uninvite", "invited@example.com"], "Add --yes"],
])("refuses %s", async (_name, args, reason) => {
  settings = { DATABASE_URL: mail.url };
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  expect(await invited()).toBe(1);
});

test("sends nothing while the servers send no mail, whatever this machine's settings say", async () => {
  const { id } = await createMessage(mail.db, OPERATOR, NEWS);
  await switchMail(mail.db, false);
  for (const args of [
    ["invite", "--all", "--send"],
    ["message", "send", id],
  ]) {
    expect(await run(...args, "--yes")).toMatchObject({ code: 2, stderr: expect.stringContaining("Mail is off.") });
  }
  expect(await invited()).toBe(1);
});

test("uninvite takes back one person's invitation or a wave; --dry-run takes none", async () => {
  const told = "Anyone who was already told still thinks they are invited.\n";
  expect((await run("uninvite", "invited@example.com", "--dry-run")).stdout).toBe(
    `Dry run: would take back the invitation of invited@example.com.\n${told}`,
  );
  expect(await invited()).toBe(1);
  expect((await run("uninvite", "INVITED@example.com", "--yes")).stdout).toBe(`Took back 1 invitation. ${told}`);
  expect((await run("uninvite", "nobody@example.com", "--yes")).code).toBe(1);

  const { id } = await inviteNext(mail.db, OPERATOR, {}, 2);
  expect(await json("uninvite", "--wave", id, "--dry-run")).toEqual({ wouldUninvite: 2 });
  expect(await json("uninvite", "--wave", id, "--yes")).toEqual({ uninvited: 2 });
});

test("uninvite leaves an invitation that was used, and says why", async () => {
  const { id } = await inviteNext(mail.db, OPERATOR, {}, 2);
  const { rows } = await mail.db.pool.query(
    "update sign_ups set accepted_at = now() where id = (select min(id) from sign_ups where wave_id = $1) returning email",
    [id],
  );
  const [{ email }] = rows;
  expect(await run("uninvite", email, "--yes")).toMatchObject({
    code: 1,
    stdout: `${email} has used their invitation, so it can't be taken back.\n`,
  });
  expect(await json("uninvite", "--wave", id, "--dry-run")).toEqual({ wouldUninvite: 1 });
  expect(await json("uninvite", "--wave", id, "--yes")).toEqual({ uninvited: 1 });
  expect((await run("uninvite", "--wave", id, "--yes")).stdout).toBe(
    `No invitation of wave ${id} can be taken back.\n`,
  );
});

test("acceptance-secret prints a secret that the product signs with", async () => {
  const { stdout } = await run("acceptance-secret");
  const [, secret] = /^The new secret, which can't be shown again:\n(whsec_.+)\n$/.exec(stdout) ?? [];
  expect(await readAcceptanceSecrets(mail.db)).toEqual([secret]);
});
