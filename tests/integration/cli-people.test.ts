import { beforeEach, describe, expect, test } from "vitest";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { verifyToken } from "#core/links/links.ts";
import { readSignUp } from "#core/members/person-data.ts";
import { readTotals } from "#core/people/totals.ts";
import { ORIGIN, SECRET, useOperator, waitlist, waitlistJson, waitlistWith } from "#tests/support/cli.ts";
import { aSignUp, cameFrom, keyOf } from "#tests/support/sign-ups.ts";

const operator = useOperator();
const ada = aSignUp({ email: "ada@example.com", company: "Acme", newsletter: true });
const bob = aSignUp({ email: "+bob.o'hara@bücher.example", lastName: "Hopper", company: "Globex" });
beforeEach(async () => {
  await operator.join(ada, null, { origin: cameFrom({ source: "it's \\ $1", campaign: "launch" }) });
  await operator.join(bob, null, { origin: cameFrom({ source: "google", campaign: "launch" }) });
});

describe("list and export", () => {
  test.each([
    [["--source", "it's \\ $1"], [ada]],
    [["--search", "hóp", "--no-newsletter"], [bob]],
    [
      ["--campaign", "launch", "--since", "2020-01-01"],
      [bob, ada],
    ],
    [["--until", "2020-01-01"], []],
    [["--domain", "BÜCHER.example"], [bob]],
  ])("select people by %j, as the console does", async (args, people) => {
    expect(await waitlistJson("list", ...args)).toMatchObject(people.map(({ email }) => ({ email })));
    const { stdout } = await waitlist("export", ...args, "--format", "jsonl");
    expect(stdout.match(/"email"/g) ?? []).toHaveLength(people.length);
  });
});

describe("edit", () => {
  test("changes name and company, shows both, and the totals follow", async () => {
    const edited = await waitlist("edit", ada.email, "--last-name", " King ", "--company", "GLOBEX, Inc.");
    expect(edited.stdout.split("\n").map((line) => line.trimEnd())).toEqual([
      "           Before    After",
      "Last name  Lovelace  King",
      "Company    Acme      GLOBEX, Inc.",
      "",
    ]);
    expect(await readTotals(operator.db.pool)).toEqual({ totalUsers: 2, companiesInterested: 1 });
  });

  test.each([
    [["--first-name", " "], "First name is required."],
    [["--company", "x".repeat(201)], "Company may have at most 200 characters."],
    [["--email", "eve@example.com"], "unknown option '--email'"],
    [[], "Choose what to change"],
  ])("refuses %j", async (args, advice) => {
    const { code, stderr } = await waitlist("edit", ada.email, ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(advice) });
  });
});

test("unsubscribe withdraws consent once, and says what it did", async () => {
  const unsubscribe = async () => (await waitlist("unsubscribe", ada.email.toUpperCase())).stdout;
  expect(await unsubscribe()).toBe(`Unsubscribed ${ada.email} from the newsletter.\n`);
  expect(await unsubscribe()).toBe(`${ada.email} isn't subscribed to the newsletter. Nothing changed.\n`);
  expect(await waitlistJson("show", ada.email)).toMatchObject({
    signUp: { newsletter: false },
    consents: [{ given: true }, { given: false }],
  });
});

test.each([
  ["link", []],
  ["unsubscribe", []],
  ["edit", ["--first-name", "Ada"]],
])("%s exits with 1 for an unknown address", async (command, args) => {
  expect(await waitlist(command, "nobody@example.com", ...args)).toEqual({
    code: 1,
    stdout: "nobody@example.com isn't on the list.\n",
    stderr: "",
  });
});

describe("the link to a person's page", () => {
  async function expectPageOf(email: string, link: string): Promise<void> {
    const person = await readSignUp(operator.db, { email_key: keyOf(email) });
    const [start, token = ""] = link.split(`${MEMBERSHIP_PATH}/`);
    expect(start).toBe(ORIGIN);
    expect(person && verifyToken(createKeys(SECRET), token)?.isFor(person)).toBe(true);
  }

  test("is printed by the command link, with a warning on stderr", async () => {
    const { stdout, stderr } = await waitlist("link", ada.email.toUpperCase());
    await expectPageOf(ada.email, stdout.trimEnd());
    expect(stderr).toBe(`This link gives access to the person's data for 30 days. Send it only to ${ada.email}.\n`);
    expect((await waitlistJson("link", ada.email)).email).toBe(ada.email);
  });

  test("ends each row of export --link, in CSV and JSON Lines", async () => {
    const lines = async (...args: string[]) => (await waitlist("export", ...args)).stdout.trimEnd().split("\n");
    const keys = [ada.email, "+bob.o'hara@xn--bcher-kva.example"];
    const csv = await lines("--link");
    expect(csv.map((row) => row.slice(0, row.lastIndexOf(",")))).toEqual(await lines());
    const jsonl = (await lines("--link", "--format", "jsonl")).map((line) => JSON.parse(line));
    for (const [index, key] of keys.entries()) {
      await expectPageOf(key, csv[index + 1]?.split(',"').at(-1)?.slice(0, -1) ?? "");
      await expectPageOf(key, jsonl[index]?.link);
    }
    expect((await waitlist("export", "--link")).stderr).toContain(
      "Anyone with this export can open the page of everyone in it for 30 days.",
    );
  });

  test.each([{ SECRET }, { PUBLIC_ORIGIN: ORIGIN }])("needs more settings than %j", async (settings) => {
    const refusal = { code: 2, stderr: expect.stringContaining("Links need SECRET and PUBLIC_ORIGIN") };
    expect(await waitlistWith(settings, "link", ada.email)).toMatchObject(refusal);
    expect(await waitlistWith(settings, "export", "--link")).toMatchObject(refusal);
  });
});
