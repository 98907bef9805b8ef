import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { describe, expect, test } from "vitest";
import { useOperator, waitlist } from "#tests/support/cli.ts";
import { addMany } from "#tests/support/people.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

describe("export", () => {
  test("CSV escapes formulas, starts with a BOM on request, and respects filters", async () => {
    const mallory = aSignUp({ firstName: '=HYPERLINK("https://evil.example")', lastName: "＠x", company: "-1+1" });
    await operator.join(mallory, null, { utm: { source: "+cmd" } });
    await operator.join(aSignUp({ newsletter: true }), null);
    const { stdout } = await waitlist("export", "--bom", "--no-newsletter");
    expect(stdout.split("\n")).toEqual([
      "\uFEFFemail,firstName,lastName,company,utmSource,utmMedium,utmCampaign,utmTerm,utmContent,newsletter,joinedAt,confirmedAt,invitedAt,rejectedAt,unsubscribedAt",
      expect.stringMatching(
        new RegExp(
          `^"${mallory.email}","'=HYPERLINK\\(""https://evil.example""\\)","'＠x","'-1\\+1","'\\+cmd",,,,,false,2\\d{3}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,,,,$`,
        ),
      ),
      "",
    ]);
  });

  test("JSON Lines go to a file only its owner can read", async () => {
    const ada = aSignUp({ company: 'A "quoted" \\ name' });
    await operator.join(ada, null, { utm: { campaign: "launch" } });
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
  await expect.poll(() => existsSync(`${out}.partial`), { timeout: 10_000, interval: 5 }).toBe(true);
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  expect(code).toBe(130);
  expect((await readdir(operator.folder)).filter((name) => name.startsWith("interrupted"))).toEqual([]);
});
