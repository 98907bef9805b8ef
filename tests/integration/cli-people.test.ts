import { beforeEach, describe, expect, test } from "vitest";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { verifyToken } from "#core/links/links.ts";
import { readSignUp } from "#core/members/person-data.ts";
import { ORIGIN, SECRET, useOperator, waitlist, waitlistWith } from "#tests/support/cli.ts";
import { aSignUp, cameFrom, keyOf } from "#tests/support/sign-ups.ts";

const operator = useOperator();
const ada = aSignUp({ email: "ada@example.com", company: "Acme", newsletter: true });
const bob = aSignUp({ email: "+bob.o'hara@bücher.example", lastName: "Hopper", company: "Globex" });
beforeEach(async () => {
  await operator.join(ada, null, { origin: cameFrom({ source: "it's \\ $1", campaign: "launch" }) });
  await operator.join(bob, null, { origin: cameFrom({ source: "google", campaign: "launch" }) });
});

test.each([
  [["--source", "it's \\ $1"], [ada]],
  [["--search", "hóp", "--no-newsletter"], [bob]],
  [
    ["--campaign", "launch", "--since", "2020-01-01"],
    [ada, bob],
  ],
  [["--until", "2020-01-01"], []],
  [["--domain", "BÜCHER.example"], [bob]],
])("export selects people by %j, as the console does", async (args, people) => {
  const { stdout } = await waitlist("export", ...args, "--format", "jsonl");
  const exported = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).email);
  expect(exported).toEqual(people.map(({ email }) => email));
});

describe("the link to a person's page", () => {
  async function expectPageOf(email: string, link: string): Promise<void> {
    const person = await readSignUp(operator.db, { email_key: keyOf(email) });
    const [start, token = ""] = link.split(`${MEMBERSHIP_PATH}/`);
    expect(start).toBe(ORIGIN);
    expect(person && verifyToken(createKeys(SECRET), token)?.isFor(person)).toBe(true);
  }

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
    expect(await waitlistWith(settings, "export", "--link")).toMatchObject(refusal);
  });
});
