import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { confirmAddress, setNewsletter } from "#core/members/member.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { createDatabase, dropDatabase } from "#tests/support/databases.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

describe("wrong usage exits with 2 and says what to do", () => {
  test.each([
    [["lits"], "Did you mean list?"],
    [["list", "--limit", "many"], "Use a whole number, 1 or higher."],
    [["list", "--since", "2026-02-31"], "Use a date like 2026-11-30 or 2026-11-30T18:00."],
    [["list", "--since", "yesterday"], "Use a date like 2026-11-30 or 2026-11-30T18:00."],
    [["list", "--wave", "first"], "Use a wave ID like 12."],
    [["show", "ada"], "Use an email address like ada@example.com."],
    [["invite"], "Choose --next 500 or --all (everyone matching the filters), not both."],
    [["quarantine", "drop"], "Choose entry IDs or --older-than 30, not both."],
    [["quarantine", "release", "x"], "To see IDs, run: npx waitlist quarantine list"],
  ])("%j", async (args, advice) => {
    const { code, stderr, stdout } = await waitlist(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(advice);
  });

  test("erase without a terminal needs --yes", async () => {
    const ada = aSignUp();
    await operator.join(ada, null);
    const { code, stderr } = await waitlist("erase", ada.email);
    expect(code).toBe(2);
    expect(stderr).toContain("Add --yes");
    expect((await readTotals(operator.db.pool)).totalUsers).toBe(1);
  });

  test("a schema older than the code needs migrate", async () => {
    const url = await createDatabase(inject("templateUrl"));
    const { code, stderr } = await runNode("cli/waitlist.ts", { DATABASE_URL: url }, ["status"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Run: npx waitlist migrate");
    await dropDatabase(url);
  });
});

test("what Node has compiled is kept in the operator's own folder, and a command does without", async () => {
  const [home, tmp] = [joinPath(operator.folder, "home"), joinPath(operator.folder, "tmp")];
  await mkdir(tmp);
  expect(
    await runNode("cli/waitlist.ts", { HOME: home, TMPDIR: tmp, NODE_COMPILE_CACHE: "" }, ["--help"]),
  ).toMatchObject({ code: 0 });
  expect(await readdir(joinPath(home, ".cache", "waitlist"))).toHaveLength(1);
  expect(await readdir(tmp)).toEqual([]);
  expect(await runNode("cli/waitlist.ts", { HOME: "/dev/null", NODE_COMPILE_CACHE: "" }, ["--help"])).toMatchObject({
    code: 0,
    stderr: "",
  });
});

test("a reader that closes the pipe early, such as head, is no error", async () => {
  const { stderr } = await promisify(execFile)("sh", ["-c", `"${process.execPath}" cli/waitlist.ts --help | true`]);
  expect(stderr).toBe("");
});

test("an unreachable database exits with 3 and keeps the password out of the message", async () => {
  const nowhere = { DATABASE_URL: "postgres://nobody:secret@127.0.0.1:1/nothing" };
  const { code, stderr } = await runNode("cli/waitlist.ts", nowhere, ["status"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^The database can't be reached: /);
  expect(stderr).not.toContain("secret");
});

test("an unwritable file exits with 2, a wrong database password with 3", async () => {
  const file = await waitlist("export", "--out", joinPath(operator.folder, "nowhere", "list.csv"));
  expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
  const url = new URL(operator.url);
  url.password = "wrong";
  const refused = await runNode("cli/waitlist.ts", { DATABASE_URL: url.href }, ["status"]);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("password authentication failed") });
});

describe("people", () => {
  test("status, list and show print JSON with --json", async () => {
    const ada = aSignUp({ company: "Acme, Inc.", newsletter: true });
    await operator.join(ada, null, { utm: { source: "news" } });
    await operator.join(aSignUp({ company: "Globex" }), null);
    expect(await waitlistJson("status")).toMatchObject({
      totalUsers: 2,
      companiesInterested: 2,
      newsletter: 1,
      lastDay: 2,
    });
    expect(await waitlistJson("list", "--company", "ACME")).toMatchObject([{ email: ada.email, newsletter: true }]);
    expect(await waitlistJson("list", "--until", "2020-01-01")).toEqual([]);
    expect(await waitlistJson("show", ada.email.toUpperCase())).toMatchObject({
      signUp: { email: ada.email, utm: { source: "news" } },
      consents: [{ given: true, wording: expect.stringContaining("product news") }],
    });
  });

  test("status, export and show agree on confirmed, rejected, unsubscribed and erased", async () => {
    const joined = async () => {
      const person = aSignUp({ newsletter: true });
      await operator.join(person, null);
      return { email: person.email, id: (await waitlistJson("show", person.email)).signUp.id };
    };
    const [confirmed, rejected, unsubscribed, erased] = [
      await joined(),
      await joined(),
      await joined(),
      await joined(),
    ];
    await confirmAddress(operator.db, confirmed.id);
    await sql`update sign_ups set rejected_at = now() where id = ${rejected.id}`.execute(operator.db);
    await setNewsletter(operator.db, null, unsubscribed.id, false);
    await waitlist("erase", erased.email, "--yes");

    const counted = { newsletter: 2, confirmed: 1, rejected: 1, unsubscribed: 1, erased: 1 };
    expect(await waitlistJson("status")).toMatchObject({ totalUsers: 3, ...counted });
    const { stdout } = await waitlist("export", "--format", "jsonl");
    const timestamp = expect.any(String);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { email: confirmed.email, confirmedAt: timestamp, rejectedAt: null, unsubscribedAt: null },
      { email: rejected.email, confirmedAt: null, rejectedAt: timestamp, unsubscribedAt: null },
      { email: unsubscribed.email, confirmedAt: null, rejectedAt: null, unsubscribedAt: timestamp },
    ]);
    expect((await waitlist("show", rejected.email)).stdout).toMatch(/^Rejected by mail server +\d{4}/m);
  });

  test("show exits with 1 for an unknown address", async () => {
    expect(await waitlist("show", "nobody@example.com")).toMatchObject({
      code: 1,
      stdout: "No data stored for nobody@example.com.\n",
    });
  });
});

describe("verify exits with 1 and names what is wrong", () => {
  test.each([
    ["a wrong total", sql`update totals set users = users + 1 where slot = 0`, "People "],
    ["a wrong company count", sql`update companies set sign_ups = 5`, "Companies with a wrong sign-up count"],
    [
      "a consent without a sign-up",
      sql`insert into consents (sign_up_id, wording_version, given) values (0, 1, true)`,
      "Consents without a sign-up",
    ],
    [
      "a newsletter setting without consent",
      sql`update sign_ups set newsletter = not newsletter`,
      "Newsletter settings that contradict",
    ],
  ])("%s", async (_name, damage, line) => {
    await operator.join(aSignUp({ company: "Acme", newsletter: true }), null);
    expect((await waitlist("verify")).code).toBe(0);
    await damage.execute(operator.db);
    const { code, stdout } = await waitlist("verify");
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${line}.*WRONG$`, "m"));
  });
});
