import { beforeEach, describe, expect, test } from "vitest";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { verifyToken } from "#core/members/links.ts";
import { readSignUp } from "#core/people/person-data.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { ORIGIN, SECRET, useOperator, waitlist, waitlistJson, waitlistWith } from "#tests/support/cli.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

describe("list", () => {
  const [ada, bob, cy] = ["ada", "bob", "cy"].map((name) => `${name}@example.com`);
  beforeEach(async () => {
    await operator.join(aSignUp({ email: "ada@example.com", newsletter: true }), null, {
      utm: { source: "it's \\ $1", medium: "email", campaign: "launch" },
    });
    await operator.join(aSignUp({ email: "bob@example.com", lastName: "Hopper" }), null, {
      utm: { source: "google", medium: "cpc", campaign: "launch" },
    });
    await operator.join(aSignUp({ email: "cy@example.com", company: "Acme, Inc." }), null);
    await operator.db.pool.query("update sign_ups set rejected_at = now() where email = 'cy@example.com'");
  });

  test.each([
    [["--source", "it's \\ $1"], [ada]],
    [["--campaign", "launch", "--medium", "cpc"], [bob]],
    [["--rejected"], [cy]],
    [["--no-rejected"], [bob, ada]],
    [["--search", "hóp"], [bob]],
    [["--unsubscribed"], []],
    [["--company", "ACME"], [cy]],
    [["--until", "2020-01-01"], []],
    [["--newsletter", "--since", "2020-01-01"], [ada]],
  ])("%j selects people as the console does", async (args, emails) => {
    expect((await waitlistJson("list", ...args)).map(({ email }: { email: string }) => email)).toEqual(emails);
  });

  test("takes the same filters as export and invite", async () => {
    const { stdout } = await waitlist("export", "--campaign", "launch", "--search", "HOPPER", "--format", "jsonl");
    expect(JSON.parse(stdout)).toMatchObject({ email: bob });
    expect(await waitlistJson("invite", "--campaign", "launch", "--all", "--yes")).toMatchObject({ invited: 2 });
    expect(await waitlistJson("list", "--no-invited")).toMatchObject([{ email: cy }]);
  });
});

describe("edit", () => {
  test("changes name and company, shows both, and the totals follow", async () => {
    const ada = aSignUp({ company: "Acme" });
    for (const person of [ada, aSignUp({ company: "Globex" })]) await operator.join(person, null);
    const edited = await waitlist("edit", ada.email, "--last-name", " King ", "--company", "GLOBEX, Inc.");
    expect(edited.stdout.split("\n").map((line) => line.trimEnd())).toEqual([
      "           Before    After",
      "Last name  Lovelace  King",
      "Company    Acme      GLOBEX, Inc.",
      "",
    ]);
    expect(await readTotals(operator.db.pool)).toEqual({ totalUsers: 2, companiesInterested: 1 });
    expect(await waitlistJson("edit", ada.email, "--company", "")).toEqual({
      changed: { company: { before: "GLOBEX, Inc.", after: "" } },
    });
    expect(await waitlist("edit", ada.email, "--company", "")).toMatchObject({
      code: 0,
      stdout: "Nothing changed: that's what is stored already.\n",
    });
    expect(await readSignUp(operator.db, { email_key: ada.email })).toMatchObject({ last_name: "King", company: null });
  });

  test.each([
    [["--first-name", " "], "First name is required."],
    [["--company", "x".repeat(201)], "Company may have at most 200 characters."],
    [["--email", "eve@example.com"], "unknown option '--email'"],
    [[], "Choose what to change"],
  ])("refuses %j", async (args, advice) => {
    expect(await waitlist("edit", "ada@example.com", ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(advice),
    });
  });
});

test("unsubscribe withdraws consent once, and says what it did", async () => {
  const ada = aSignUp({ newsletter: true });
  await operator.join(ada, null);
  expect(await waitlist("unsubscribe", ada.email.toUpperCase())).toMatchObject({
    code: 0,
    stdout: `Unsubscribed ${ada.email} from the newsletter.\n`,
  });
  expect(await waitlist("unsubscribe", ada.email)).toMatchObject({
    code: 0,
    stdout: `${ada.email} isn't subscribed to the newsletter. Nothing changed.\n`,
  });
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
  async function opensPageOf(link: string, email: string): Promise<boolean> {
    const start = `${ORIGIN}${MEMBERSHIP_PATH}/`;
    expect(link.startsWith(start)).toBe(true);
    const person = await readSignUp(operator.db, { email_key: email });
    return (person && verifyToken(createKeys(SECRET), link.slice(start.length))?.isFor(person)) ?? false;
  }

  test("is printed by link, and a warning apart from it", async () => {
    const ada = aSignUp();
    await operator.join(ada, null);
    const { code, stdout, stderr } = await waitlist("link", ada.email.toUpperCase());
    expect(code).toBe(0);
    expect(await opensPageOf(stdout.trimEnd(), ada.email)).toBe(true);
    expect(stderr).toBe(`This link gives access to the person's data for 30 days. Send it only to ${ada.email}.\n`);
    expect((await waitlistJson("link", ada.email)).email).toBe(ada.email);
  });

  test("ends each row of export --link, in CSV and JSON Lines", async () => {
    const people = [
      aSignUp({ email: "+ada.o'hara@bücher.example", company: 'A "quoted", name' }),
      aSignUp({ email: "=eve@example.com", newsletter: true }),
    ];
    for (const person of people) await operator.join(person, null);
    const keys = ["+ada.o'hara@xn--bcher-kva.example", "=eve@example.com"];
    const lines = async (...args: string[]) => (await waitlist("export", ...args)).stdout.trimEnd().split("\n");
    const withoutLast = (row: string) => row.slice(0, row.lastIndexOf(","));
    const [header, ...rows] = await lines("--link");
    expect([header, ...rows].map((row = "") => withoutLast(row))).toEqual(await lines());
    expect(header).toMatch(/,link$/);
    for (const [index, row] of rows.entries()) {
      expect(await opensPageOf(row.slice(withoutLast(row).length + 2, -1), keys[index] ?? "")).toBe(true);
    }
    for (const [index, line] of (await lines("--link", "--format", "jsonl")).entries()) {
      expect(await opensPageOf(JSON.parse(line).link, keys[index] ?? "")).toBe(true);
    }
    expect((await waitlist("export", "--link")).stderr).toContain(
      "Anyone with this export can open the page of everyone in it for 30 days.",
    );
  });

  test.each([
    ["link", "ada@example.com"],
    ["export", "--link"],
  ])("needs SECRET and PUBLIC_ORIGIN: %s %s", async (...args) => {
    for (const settings of [{ SECRET }, { PUBLIC_ORIGIN: ORIGIN }]) {
      const refused = await waitlistWith(settings, ...args);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("Links need SECRET and PUBLIC_ORIGIN");
    }
  });
});
