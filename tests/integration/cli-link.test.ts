import { describe, expect, test } from "vitest";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { verifyToken } from "#core/members/links.ts";
import { readSignUp } from "#core/people/person-data.ts";
import { ORIGIN, SECRET, useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

async function opensPageOf(link: string, email: string): Promise<boolean> {
  const start = `${ORIGIN}${MEMBERSHIP_PATH}/`;
  expect(link.startsWith(start)).toBe(true);
  const person = await readSignUp(operator.db, { email_key: email });
  return (person && verifyToken(createKeys(SECRET), link.slice(start.length))?.isFor(person)) ?? false;
}

describe("link", () => {
  test("prints the person's link, and a warning apart from it", async () => {
    const ada = aSignUp();
    await operator.join(ada, null);
    const { code, stdout, stderr } = await waitlist("link", ada.email.toUpperCase());
    expect(code).toBe(0);
    expect(await opensPageOf(stdout.trimEnd(), ada.email)).toBe(true);
    expect(stderr).toBe(`This link gives access to the person's data for 30 days. Send it only to ${ada.email}.\n`);
    const json = await waitlistJson("link", ada.email);
    expect(json.email).toBe(ada.email);
    expect(await opensPageOf(json.link, ada.email)).toBe(true);
  });

  test("exits with 1 for an unknown address, without a link", async () => {
    expect(await waitlist("link", "nobody@example.com")).toEqual({
      code: 1,
      stdout: "nobody@example.com isn't on the list.\n",
      stderr: "",
    });
  });

  test.each([
    ["link", "ada@example.com"],
    ["export", "--link"],
  ])("%s %s needs SECRET and PUBLIC_ORIGIN", async (...args) => {
    for (const settings of [{ SECRET }, { PUBLIC_ORIGIN: ORIGIN }]) {
      const refused = await runNode("cli/waitlist.ts", { DATABASE_URL: operator.url, ...settings }, args);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("Links need SECRET and PUBLIC_ORIGIN");
    }
  });
});

describe("export --link", () => {
  test("ends each row with that person's link, in CSV and JSON Lines", async () => {
    const people = [
      aSignUp({ email: "+ada.o'hara@bücher.example", company: 'A "quoted", name' }),
      aSignUp({ email: "=eve@example.com", newsletter: true }),
    ];
    for (const person of people) await operator.join(person, null);
    const plain = await waitlist("export");
    const csv = await waitlist("export", "--link");
    expect(csv.stderr).toContain("Anyone with this export can open the page of everyone in it for 30 days.");
    const rows = csv.stdout.trimEnd().split("\n");
    expect(rows.map((row) => row.slice(0, row.lastIndexOf(",")))).toEqual(plain.stdout.trimEnd().split("\n"));
    expect(rows[0]).toMatch(/,link$/);
    const keys = ["+ada.o'hara@xn--bcher-kva.example", "=eve@example.com"];
    for (const [index, key] of keys.entries()) {
      const row = rows[index + 1] ?? "";
      expect(await opensPageOf(row.slice(row.lastIndexOf(",") + 2, -1), key)).toBe(true);
    }

    const jsonl = await waitlist("export", "--link", "--format", "jsonl");
    const lines = jsonl.stdout.trimEnd().split("\n");
    const withoutLinks = (await waitlist("export", "--format", "jsonl")).stdout.trimEnd().split("\n");
    for (const [index, line] of lines.entries()) {
      const { link, ...person } = JSON.parse(line);
      expect(await opensPageOf(link, keys[index] ?? "")).toBe(true);
      expect(JSON.stringify(person)).toBe(withoutLinks[index]);
    }
    expect(lines).toHaveLength(2);
  });
});
