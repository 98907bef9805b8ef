import { beforeEach, describe, expect, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { listMessages } from "#core/messages/messages.ts";
import { countMatching } from "#core/people/filter.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { INVITE, useMail } from "#tests/support/mail-worker.ts";
import { addPeople } from "#tests/support/people.ts";
import { runCommand } from "#tests/support/run-command.ts";

const mail = useMail();

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

const run = (...args: string[]) => runCommand(settings, ["invite", ...args]);
const invited = () => countMatching(mail.db, { invited: true });
const NOBODY_LEFT = { code: 1, stdout: "Nobody is left to invite.\n" };

describe("invite --send", () => {
  test("emails the next people their own link, in the order of the line, and marks them as invited", async () => {
    const { stdout } = await run("2", "--send", "--yes");
    expect(stdout).toMatch(/^Invited 2 people in wave \d+\. The mail workers send them message \d+\.$/m);
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

  test("emails everyone at most once, and leaves no empty message when nobody is left", async () => {
    for (const people of ["2 people", "1 person"])
      expect((await run("2", "--send", "--yes")).stdout).toContain(`Invited ${people} in wave`);
    expect(await run("2", "--send", "--yes")).toMatchObject(NOBODY_LEFT);
    expect(await listMessages(mail.db, 9)).toHaveLength(2);
  });

  test("emails one person, unless they can't get it", async () => {
    expect((await run("ONE@example.com", "--send", "--yes")).stdout).toMatch(
      /^Invited one@example\.com in wave \d+\.\n$/,
    );
    expect(await run("unconfirmed@example.com", "--send", "--yes")).toMatchObject({
      code: 1,
      stdout: "unconfirmed@example.com wasn't invited: address not confirmed.\n",
    });
    expect(await invited()).toBe(2);
    await mail.startWorker(INVITE);
    await mail.arrived(1);
    expect(mail.smtp.mails).toMatchObject([{ to: [{ address: "one@example.com" }] }]);
  });

  test.each(["2", "one@example.com"])("invites nobody while mail or INVITE_URL is missing: %s", async (whom) => {
    settings = mail.settings();
    const refused = (advice: string) => ({ code: 2, stdout: "", stderr: expect.stringContaining(advice) });
    expect(await run(whom, "--send", "--yes")).toMatchObject(refused("needs INVITE_URL and INVITE_KEYS. Set them"));
    settings = { ...mail.settings(), ...INVITE };
    await switchMail(mail.db, false);
    expect(await run(whom, "--send", "--yes")).toMatchObject(refused("Mail is off."));
    expect(await invited()).toBe(1);
  });
});

describe("invite without --send", () => {
  test("invites only people who confirmed their address if the servers send mail, and emails nobody", async () => {
    expect((await run("9", "--yes")).stdout).toMatch(/^Invited 3 people in wave \d+\.\n$/);
    expect(await run("9", "--yes")).toMatchObject(NOBODY_LEFT);
    expect((await run("unconfirmed@example.com", "--yes")).stdout).toContain("Invited unconfirmed@example.com");
    expect(await listMessages(mail.db, 9)).toEqual([]);
  });

  test("invites everyone if the servers send no mail, once", async () => {
    await switchMail(mail.db, false);
    const first = await runCommand(settings, ["invite", "3", "--yes", "--json"]);
    const { wave, invited: count } = JSON.parse(first.stdout);
    expect([count, await countMatching(mail.db, { wave })]).toEqual([3, 3]);
    expect((await run("9", "--yes")).stdout).toContain("Invited 1 person in wave");
    expect(await run("9", "--yes")).toMatchObject(NOBODY_LEFT);
  });

  test.each([
    ["invited@example.com", "invited@example.com wasn't invited: already invited.\n"],
    ["nobody@example.com", "nobody@example.com isn't on the list.\n"],
  ])("says why %s wasn't invited", async (address, stdout) => {
    expect(await run(address, "--yes")).toEqual({ code: 1, stdout, stderr: "" });
  });
});

test.each([
  ["neither a number nor an address", ["everyone"], "Use a whole number, 1 or higher."],
  ["no address", ["ada@"], "Use an email address"],
  ["no --yes, many", ["2"], "Add --yes"],
])("refuses %s", async (_name, args, reason) => {
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
  expect(await invited()).toBe(1);
});
