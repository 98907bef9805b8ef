import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { exportFile, type Format } from "#core/transfer/export-file.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useOperator, waitlist } from "#tests/support/cli.ts";
import { addMany } from "#tests/support/people.ts";
import { aSignUp, cameFrom } from "#tests/support/sign-ups.ts";

const operator = useOperator();
/** Enough for thirty chunks. */
const PEOPLE = 30_000;

describe("waitlist export", () => {
  test("CSV escapes formulas, starts with a BOM on request, and respects filters", async () => {
    const mallory = aSignUp({ firstName: '=HYPERLINK("https://evil.example")', lastName: "＠x", company: "-1+1" });
    await operator.join(mallory, null, { origin: cameFrom({ source: "+cmd" }) });
    await operator.join(aSignUp({ newsletter: true }), null);
    const { stdout } = await waitlist("export", "--bom", "--no-newsletter");
    expect(stdout.split("\n")).toEqual([
      "\uFEFFemail,firstName,lastName,company,utmSource,utmMedium,utmCampaign,utmTerm,utmContent,newsletter,joinedAt,confirmedAt,invitedAt,suppressedAt,unsubscribedAt,acceptedAt",
      expect.stringMatching(
        new RegExp(
          `^"${mallory.email}","'=HYPERLINK\\(""https://evil.example""\\)","'＠x","'-1\\+1","'\\+cmd",,,,,false,2\\d{3}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,,,,,$`,
        ),
      ),
      "",
    ]);
  });

  test("JSON Lines go to a file only its owner can read", async () => {
    const ada = aSignUp({ company: 'A "quoted" \\ name' });
    await operator.join(ada, null, { origin: cameFrom({ campaign: "launch" }) });
    const out = joinPath(operator.folder, "list.jsonl");
    expect((await waitlist("export", "--format", "jsonl", "--out", out)).stdout).toBe(`Exported 1 person to ${out}\n`);
    expect(JSON.parse(await readFile(out, "utf8"))).toMatchObject({
      email: ada.email,
      company: ada.company,
      newsletter: false,
      utmCampaign: "launch",
      joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      invitedAt: null,
    });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(await readdir(operator.folder)).toEqual(["list.jsonl"]);
  });
});

test("an interrupted export leaves no file", async () => {
  await addMany(operator.db, 100_000);
  const out = joinPath(operator.folder, "interrupted.csv");
  const child = spawn(process.execPath, ["cli/waitlist.ts", "export", "--out", out], {
    env: { DATABASE_URL: operator.url },
  });
  const names = async () => (await readdir(operator.folder)).filter((name) => name.startsWith("interrupted"));
  await expect.poll(names, { timeout: 10_000, interval: 5 }).toEqual([expect.stringMatching(/\.partial$/)]);
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  expect(code).toBe(130);
  expect(await names()).toEqual([]);
});

test("an export contains all stored text unchanged, and its times are in UTC", async () => {
  // The contract rejects some of these, but an older version or an import may have stored them.
  const texts = ['a "quote", too', "line\nbreak\r\nand\ttab", "\\N", "NULL", "", "\u202e \u2028 \u001b 😀 e\u0301"];
  for (const value of texts) {
    const time = "2026-12-31 23:59:59.999999+05:30";
    await sql`
      insert into sign_ups (email_key, email, first_name, last_name, newsletter, utm, joined_at)
      values (${value}, ${value}, ${value}, '', false, ${JSON.stringify({ term: value })}, ${time})`.execute(
      operator.db,
    );
  }
  const exported = (format: Format) => text(exportFile(operator.db, OPERATOR, { filter: {}, format }));
  const lines = (await exported("jsonl")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    texts.map((email) => ({ email, company: null, utmTerm: email, joinedAt: "2026-12-31T18:29:59.999Z" })),
  );
  const cells = texts.map((email) => `"${email.replaceAll('"', '""')}"`);
  const rows = cells.map((cell) => `${cell},${cell},"",,,,,${cell},,false,2026-12-31 18:29:59,,,,,\n`);
  expect((await exported("csv")).replace(/^.*\n/, "")).toBe(rows.join(""));
});

test("an export whose connection breaks fails instead of ending early", async () => {
  await addMany(operator.db, PEOPLE);
  const file = exportFile(operator.db, OPERATOR, { filter: {}, format: "jsonl" });
  await file.next();
  await operator.db.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'fetch %'",
  );
  await expect(Array.fromAsync(file)).rejects.toThrow();
});
