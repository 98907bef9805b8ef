import { join as joinPath } from "node:path";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { confirmAddress, setNewsletter } from "#core/members/store.ts";
import { readTotals } from "#core/waitlist/totals.ts";
import { asJson, useOperator, waitlist } from "#tests/support/cli.ts";
import { createDatabase, dropDatabase } from "#tests/support/databases.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

describe("wrong usage exits with 2 and says what to do instead", () => {
  test.each([
    [["lits"], "Did you mean list?"],
    [["list", "--limit", "many"], "Write a whole number of at least 1."],
    [["list", "--since", "2026-02-31"], "Write it like 2026-11-30 or 2026-11-30T18:00."],
    [["list", "--since", "yesterday"], "Write it like 2026-11-30 or 2026-11-30T18:00."],
    [["show", "ada"], "Write an e-mail address, like ada@example.com."],
    [["invite"], "Say how many: --next 500, or --all"],
    [["quarantine", "drop"], "Say what: numbers, or --older-than 30"],
    [["quarantine", "release", "x"], "See them with: npx waitlist quarantine list"],
  ])("%j", async (args, advice) => {
    const { code, stderr, stdout } = await waitlist(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(advice);
  });

  test("an irreversible command that nobody can be asked about", async () => {
    const ada = aSignUp();
    await operator.join(ada, null);
    const { code, stderr } = await waitlist("erase", ada.email);
    expect(code).toBe(2);
    expect(stderr).toContain("add --yes");
    expect((await readTotals(operator.db.pool)).totalUsers).toBe(1);
  });

  test("a schema older than the tool", async () => {
    const url = await createDatabase(inject("templateUrl"));
    const { code, stderr } = await runNode("cli/waitlist.ts", { DATABASE_URL: url }, ["status"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Run: npx waitlist migrate");
    await dropDatabase(url);
  });
});

test("a database that can't be reached is exit code 3", async () => {
  const nowhere = { DATABASE_URL: "postgres://nobody:secret@127.0.0.1:1/nothing" };
  const { code, stderr } = await runNode("cli/waitlist.ts", nowhere, ["status"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^The database can't be reached: /);
  expect(stderr).not.toContain("secret");
});

test("a file that can't be written, and a password that is wrong, are told apart", async () => {
  const file = await waitlist("export", "--out", joinPath(operator.folder, "nowhere", "list.csv"));
  expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
  const url = new URL(operator.url);
  url.password = "wrong";
  const refused = await runNode("cli/waitlist.ts", { DATABASE_URL: url.href }, ["status"]);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("password authentication failed") });
});

describe("who is on the list", () => {
  test("status, list and show say the same to programs", async () => {
    const ada = aSignUp({ company: "Acme, Inc.", newsletter: true });
    await operator.join(ada, null, { source: "news" });
    await operator.join(aSignUp({ company: "Globex" }), null);
    expect(await asJson("status")).toMatchObject({ totalUsers: 2, companiesInterested: 2, newsletter: 1, lastDay: 2 });
    expect(await asJson("list", "--company", "ACME")).toMatchObject([{ email: ada.email, newsletter: true }]);
    expect(await asJson("list", "--until", "2020-01-01")).toEqual([]);
    expect(await asJson("show", ada.email.toUpperCase())).toMatchObject({
      signUp: { email: ada.email, utm: { source: "news" } },
      consents: [{ given: true, wording: expect.stringContaining("product news") }],
    });
  });

  test("confirmed, rejected, unsubscribed and erased are in status, report, export and show alike", async () => {
    const joined = async () => {
      const person = aSignUp({ newsletter: true });
      await operator.join(person, null);
      return { email: person.email, id: (await asJson("show", person.email)).signUp.id };
    };
    const [confirmed, rejected, unsubscribed, erased] = [
      await joined(),
      await joined(),
      await joined(),
      await joined(),
    ];
    await confirmAddress(operator.db, confirmed.id);
    await sql`update sign_ups set rejected_at = now() where id = ${rejected.id}`.execute(operator.db);
    await setNewsletter(operator.db, unsubscribed.id, false);
    await waitlist("erase", erased.email, "--yes");

    const counted = { newsletter: 2, confirmed: 1, rejected: 1, unsubscribed: 1, erased: 1 };
    expect(await asJson("status")).toMatchObject({ totalUsers: 3, ...counted });
    expect(await asJson("report")).toMatchObject({ signUps: 3, ...counted });
    const { stdout } = await waitlist("export", "--format", "jsonl");
    const aTime = expect.any(String);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { email: confirmed.email, confirmedAt: aTime, rejectedAt: null, unsubscribedAt: null },
      { email: rejected.email, confirmedAt: null, rejectedAt: aTime, unsubscribedAt: null },
      { email: unsubscribed.email, confirmedAt: null, rejectedAt: null, unsubscribedAt: aTime },
    ]);
    expect((await waitlist("show", rejected.email)).stdout).toMatch(/^refused by their server +\d{4}/m);
  });

  test("show exits with 1 where nothing is held", async () => {
    expect(await waitlist("show", "nobody@example.com")).toMatchObject({
      code: 1,
      stdout: "Nothing is held about nobody@example.com.\n",
    });
  });
});

describe("verify exits with 1 and says what is wrong", () => {
  test.each([
    ["a total", sql`update totals set users = users + 1 where slot = 0`, "people "],
    ["a company", sql`update companies set sign_ups = 5`, "companies with a wrong number"],
    [
      "a consent of nobody",
      sql`insert into consents (sign_up_id, wording_version, given) values (0, 1, true)`,
      "consents of nobody",
    ],
    ["a setting nobody chose", sql`update sign_ups set newsletter = not newsletter`, "people whose setting"],
  ])("%s", async (_what, damage, line) => {
    await operator.join(aSignUp({ company: "Acme", newsletter: true }), null);
    expect((await waitlist("verify")).code).toBe(0);
    await damage.execute(operator.db);
    const { code, stdout } = await waitlist("verify");
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${line}.*WRONG$`, "m"));
  });
});
