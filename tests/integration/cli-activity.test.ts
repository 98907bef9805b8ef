import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();
const { username } = userInfo();

test("activity shows what each command did, newest first, under the operating system's user", async () => {
  const [ada, bob] = [aSignUp({ newsletter: true }), aSignUp()];
  for (const person of [ada, bob]) await operator.join(person, null);
  expect(await waitlist("activity")).toMatchObject({ code: 0, stdout: "No activity yet.\n" });
  await waitlist("unsubscribe", ada.email);
  await waitlist("link", bob.email);
  await waitlist("invite", "--next", "5", "--yes");
  await waitlist("erase", ada.email, "--yes");
  const { code, stdout } = await waitlist("activity");
  expect(code).toBe(0);
  const when = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d";
  const lines = [
    "When +Who +From +What",
    `${when}  ${username} +command line  erased someone who was on the list`,
    `${when}  ${username} +command line  invited 2 people \\(wave \\d+\\)`,
    `${when}  ${username} +command line  created a link to the page of ${bob.email}`,
    `${when}  ${username} +command line  unsubscribed someone who is no longer on the list`,
  ];
  expect(stdout.trimEnd().split("\n")).toEqual(lines.map((line) => expect.stringMatching(new RegExp(`^${line}$`))));
});

test("activity --limit and --json give the newest entries with their ids", async () => {
  const ada = aSignUp();
  await operator.join(ada, null);
  for (const company of ["Acme", "Globex"]) await waitlist("edit", ada.email, "--company", company);
  const [entry, ...others] = await waitlistJson("activity", "--limit", "1");
  expect(others).toEqual([]);
  expect(entry).toEqual({
    id: expect.any(String),
    at: expect.any(String),
    actor: username,
    via: "command line",
    action: "edit",
    personId: expect.any(String),
    email: ada.email,
    messageId: null,
    waveId: null,
    count: null,
  });
});

test("a dry run, and an export of nobody, leave no entry", async () => {
  await operator.join(aSignUp(), null);
  await waitlist("invite", "--next", "5", "--dry-run");
  await waitlist("export", "--company", "Nobody");
  expect(await waitlistJson("activity")).toEqual([]);
});
