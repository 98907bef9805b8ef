import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { fill } from "#bench/waitlist/fill.ts";
import { unlimited } from "#dev/unlimited.ts";
import { recordConsentWording } from "#server/waitlist/consent.ts";
import { addressHash, erase } from "#server/waitlist/erase.ts";
import { inviteNext } from "#server/waitlist/invite.ts";
import { type Join, joinWith } from "#server/waitlist/join.ts";
import { release } from "#server/waitlist/quarantine.ts";
import { readTotals, verifyTotals } from "#server/waitlist/totals.ts";
import { createDatabase, dropDatabase } from "#tests/support/databases.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

// Every command is a process of its own.
vi.setConfig({ testTimeout: 30_000 });
const context = useTestDatabase();
const SECRET = "an operator's secret of 32 letters";
let join: Join;
let folder: string;
beforeAll(async () => {
  const { metrics, limits } = unlimited;
  join = joinWith(context.db, { mostWaiting: limits.waiting, totals: () => readTotals(context.db), metrics });
  await recordConsentWording(context.db);
  folder = await mkdtemp(joinPath(tmpdir(), "farwatch-operator-"));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => emptyWaitlist(context.db));

const waitlist = (...args: string[]) => runNode("operator/waitlist.ts", { DATABASE_URL: context.url, SECRET }, args);
async function asJson(...args: string[]) {
  const { stdout } = await waitlist(...args, "--json");
  return JSON.parse(stdout);
}

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
    await join(ada, null);
    const { code, stderr } = await waitlist("erase", ada.email);
    expect(code).toBe(2);
    expect(stderr).toContain("add --yes");
    expect((await readTotals(context.db)).totalUsers).toBe(1);
  });

  test("a schema older than the tool", async () => {
    const url = await createDatabase(inject("templateUrl"));
    const { code, stderr } = await runNode("operator/waitlist.ts", { DATABASE_URL: url }, ["status"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Run: npx waitlist migrate");
    await dropDatabase(url);
  });
});

test("a database that can't be reached is exit code 3", async () => {
  const nowhere = { DATABASE_URL: "postgres://nobody:secret@127.0.0.1:1/nothing" };
  const { code, stderr } = await runNode("operator/waitlist.ts", nowhere, ["status"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^The database can't be reached: /);
  expect(stderr).not.toContain("secret");
});

describe("who is on the list", () => {
  test("status, list and show say the same to programs", async () => {
    const ada = aSignUp({ company: "Acme, Inc.", newsletter: true });
    await join(ada, null, { source: "news" });
    await join(aSignUp({ company: "Globex" }), null);
    expect(await asJson("status")).toMatchObject({ totalUsers: 2, companiesInterested: 2, newsletter: 1, lastDay: 2 });
    expect(await asJson("list", "--company", "ACME")).toMatchObject([{ email: ada.email, newsletter: true }]);
    expect(await asJson("list", "--until", "2020-01-01")).toEqual([]);
    expect(await asJson("show", ada.email.toUpperCase())).toMatchObject({
      signUp: { email: ada.email, utm: { source: "news" } },
      consents: [{ given: true, wording: expect.stringContaining("product news") }],
    });
  });

  test("show exits with 1 where nothing is held", async () => {
    expect(await waitlist("show", "nobody@example.com")).toMatchObject({
      code: 1,
      stdout: "Nothing is held about nobody@example.com.\n",
    });
  });
});

describe("export", () => {
  test("CSV: with formulas made harmless, a BOM on request, and only whom the filters leave", async () => {
    const mallory = aSignUp({ firstName: '=HYPERLINK("https://evil.example")', lastName: "＠x", company: "-1+1" });
    await join(mallory, null, { source: "+cmd" });
    await join(aSignUp({ newsletter: true }), null);
    const { stdout } = await waitlist("export", "--bom", "--no-newsletter");
    expect(stdout.split("\n")).toEqual([
      "\uFEFFemail,firstName,lastName,company,utmSource,utmMedium,utmCampaign,utmTerm,utmContent,newsletter,joinedAt,confirmedAt,invitedAt,rejectedAt",
      expect.stringMatching(
        new RegExp(
          `^"${mallory.email}","'=HYPERLINK\\(""https://evil.example""\\)","'＠x","'-1\\+1","'\\+cmd",,,,,false,2\\d{3}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,,,$`,
        ),
      ),
      "",
    ]);
  });

  test("JSON Lines, to a file that is its owner's alone", async () => {
    const ada = aSignUp({ company: 'A "quoted" \\ name' });
    await join(ada, null, { campaign: "launch" });
    const out = joinPath(folder, "list.jsonl");
    expect((await waitlist("export", "--format", "jsonl", "--out", out)).stdout).toBe(`Wrote 1 person to ${out}\n`);
    expect(JSON.parse(await readFile(out, "utf8"))).toMatchObject({
      email: ada.email,
      company: ada.company,
      newsletter: false,
      utmCampaign: "launch",
      joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*\+00:00$/),
      invitedAt: null,
    });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["list.jsonl"]);
  });
});

test("report writes one file for people, and prints the same numbers for programs", async () => {
  await join(aSignUp({ company: "Acme" }), null);
  const out = joinPath(folder, "report.html");
  expect(await waitlist("report", "--out", out)).toMatchObject({ code: 0, stdout: `Wrote ${out}\n` });
  expect(await readFile(out, "utf8")).toContain("Acme");
  expect(await asJson("report")).toMatchObject({
    signUps: 1,
    companies: 1,
    topCompanies: [{ name: "Acme", signUps: 1 }],
  });
});

test("a file that can't be written, and a password that is wrong, are told apart", async () => {
  const file = await waitlist("export", "--out", joinPath(folder, "nowhere", "list.csv"));
  expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
  const url = new URL(context.url);
  url.password = "wrong";
  const refused = await runNode("operator/waitlist.ts", { DATABASE_URL: url.href }, ["status"]);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("password authentication failed") });
});

test("an export that is interrupted leaves no file", async () => {
  await fill(context.db, 200_000);
  const out = joinPath(folder, "interrupted.csv");
  const child = spawn(process.execPath, ["operator/waitlist.ts", "export", "--out", out], {
    env: { DATABASE_URL: context.url },
  });
  await expect.poll(() => existsSync(`${out}.partial`), { timeout: 10_000, interval: 5 }).toBe(true);
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  expect(code).toBe(130);
  expect((await readdir(folder)).filter((name) => name.startsWith("interrupted"))).toEqual([]);
});

describe("invite", () => {
  const invited = async () =>
    (await context.db.selectFrom("sign_ups").select("id").where("invited_at", "is not", null).execute()).length;

  test("two waves at once of 10,000 people: 1,000 different ones, the first that joined", async () => {
    await fill(context.db, 10_000);
    const waves = await Promise.all(
      [1, 2].map(() => asJson("invite", "--next", "500", "--yes") as Promise<{ invited: number; invitedAt: string }>),
    );
    expect(waves.map((wave) => wave.invited)).toEqual([500, 500]);
    expect(await invited()).toBe(1000);
    const last = await sql<{ last: string }>`
      select max(id) - (select min(id) from sign_ups) as last from sign_ups where invited_at is not null`.execute(
      context.db,
    );
    expect(last.rows[0]?.last).toBe("999");
    const { stdout } = await waitlist("export", "--wave", waves[0]?.invitedAt ?? "");
    expect(stdout.trim().split("\n")).toHaveLength(501);
  });

  test("ten waves at once share nobody", async () => {
    await fill(context.db, 5000);
    const waves = await Promise.all(Array.from({ length: 10 }, () => inviteNext(context.db, {}, 300)));
    expect(waves.map((wave) => wave.invited)).toEqual(Array(10).fill(300));
    expect(await invited()).toBe(3000);
  });

  test("a dry run invites nobody; a company at a time; and nobody twice", async () => {
    for (const company of ["Acme", "ACME Inc.", "Globex"]) await join(aSignUp({ company }), null);
    expect(await asJson("invite", "--company", "acme", "--all", "--dry-run")).toEqual({ wouldInvite: 2 });
    expect(await invited()).toBe(0);
    expect(await asJson("invite", "--company", "acme", "--all", "--yes")).toMatchObject({ invited: 2 });
    expect(await waitlist("invite", "--company", "acme", "--all", "--yes")).toMatchObject({
      code: 1,
      stdout: "Nobody is left to invite.\n",
    });
  });
});

describe("erase", () => {
  test("leaves nothing but a keyed hash, and totals that are exact while people pour in", async () => {
    const leaving = Array.from({ length: 20 }, (_, i) =>
      aSignUp({ company: i % 2 ? "Pouring" : `Alone ${i}`, newsletter: true }),
    );
    await Promise.all(leaving.map((person) => join(person, null)));
    let isOver = false;
    const pouring = Array.from({ length: 16 }, async (_, visitor) => {
      for (let turn = 0; !isOver; turn += 1) {
        await join(aSignUp({ company: visitor % 2 ? "Pouring" : `Alone ${turn % 20}` }), null);
      }
    });
    try {
      for (const { email } of leaving.slice(0, 8)) expect((await waitlist("erase", email, "--yes")).code).toBe(0);
      expect((await waitlist("verify")).code).toBe(0);
    } finally {
      isOver = true;
      await Promise.all(pouring);
    }

    expect(await verifyTotals(context.db)).toMatchObject({ exact: true });
    const dump = JSON.stringify(
      await Promise.all(
        (["sign_ups", "consents", "quarantine", "erasures", "companies"] as const).map((name) =>
          context.db.selectFrom(name).selectAll().execute(),
        ),
      ),
    );
    for (const { email } of leaving.slice(0, 8)) expect(dump).not.toContain(email);
    for (const { email } of leaving.slice(8)) expect(dump).toContain(email);
  });

  test("is done again on a restored backup, and whoever joined anew stays", async () => {
    const [ada, bob] = [aSignUp({ company: "Acme" }), aSignUp({ company: "Acme" })];
    for (const person of [ada, bob]) await join(person, null);
    const restored = await context.db.selectFrom("sign_ups").select(["email_key", "joined_at"]).execute();
    for (const { email } of [ada, bob]) await waitlist("erase", email, "--yes");
    const file = joinPath(folder, "erasures.jsonl");
    expect((await waitlist("erasures", "save", file)).stdout).toBe("Saved 2 erasures.\n");
    const otherwise = { DATABASE_URL: context.url, SECRET: `${SECRET}!` };
    const refused = await runNode("operator/waitlist.ts", otherwise, ["erasures", "apply", file]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("another SECRET") });

    // As if the backup of before had been restored, and Bob had then joined anew.
    await context.db.deleteFrom("erasures").execute();
    for (const person of [ada, bob]) await join(person, null);
    await sql`update sign_ups set joined_at = ${restored[0]?.joined_at} where email_key = ${ada.email}`.execute(
      context.db,
    );

    // Saved once more before it is applied, nobody is forgotten.
    expect((await waitlist("erasures", "save", file)).stdout).toBe("Saved 2 erasures.\n");
    expect(await asJson("erasures", "apply", file)).toEqual({ erased: 1 });
    const left = await context.db.selectFrom("sign_ups").select("email").execute();
    expect(left).toEqual([{ email: bob.email }]);
    expect((await waitlist("verify")).code).toBe(0);
    expect(await context.db.selectFrom("erasures").selectAll().execute()).toHaveLength(2);
  });
});

describe("quarantine", () => {
  test("release puts people on the list once, and whoever joined since stays as they are", async () => {
    const [ada, bob] = [aSignUp({ website: "autofilled", company: "Acme" }), aSignUp({ website: "autofilled" })];
    for (const person of [ada, bob]) await join(person, null);
    await join({ ...bob, website: "" }, null);
    const caught = (await asJson("quarantine", "list")) as { id: string }[];
    expect(caught).toHaveLength(2);
    expect(await asJson("quarantine", "release", ...caught.map(({ id }) => id))).toEqual({ joined: 1, known: 1 });
    expect(await readTotals(context.db)).toEqual({ totalUsers: 2, companiesInterested: 1 });
    expect(await asJson("quarantine", "list")).toEqual([]);
    expect((await waitlist("quarantine", "release", "1")).code).toBe(1);
  });

  test("whoever is released and erased at the same moment is gone", async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const ada = aSignUp({ website: "autofilled" });
      await join(ada, null);
      const [caught] = await context.db.selectFrom("quarantine").select("id").execute();
      const hash = addressHash(SECRET, ada.email);
      await Promise.all([release(context.db, [caught?.id ?? ""]), erase(context.db, ada.email, hash)]);
      expect(await context.db.selectFrom("sign_ups").select("email").execute()).toEqual([]);
      expect(await context.db.selectFrom("quarantine").select("email").execute()).toEqual([]);
    }
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true });
  });

  test("drop deletes what is named, or what is older than promised", async () => {
    for (let turn = 0; turn < 3; turn += 1) await join(aSignUp({ website: "x" }), null);
    const [newest] = (await asJson("quarantine", "list")) as { id: string }[];
    expect(await asJson("quarantine", "drop", newest?.id ?? "", "--yes")).toEqual({ dropped: 1 });
    await sql`update quarantine set caught_at = now() - interval '31 days' where id = (select min(id) from quarantine)`.execute(
      context.db,
    );
    expect(await asJson("quarantine", "drop", "--older-than", "30", "--yes")).toEqual({ dropped: 1 });
    expect(await asJson("quarantine", "list")).toHaveLength(1);
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
    await join(aSignUp({ company: "Acme", newsletter: true }), null);
    expect((await waitlist("verify")).code).toBe(0);
    await damage.execute(context.db);
    const { code, stdout } = await waitlist("verify");
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${line}.*WRONG$`, "m"));
  });
});
