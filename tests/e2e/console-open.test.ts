import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "#tests/support/console.ts";

test("--open opens the console through a page that only the operator can read, and deletes the page", async ({
  browser,
  databaseUrl,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "farwatch-open-"));
  // Replaces the browser to record its arguments, which every user of a machine can read.
  await writeFile(join(folder, "xdg-open"), `#!/bin/sh\necho "$@" >${folder}/arguments\n`, { mode: 0o700 });
  const env = { DATABASE_URL: databaseUrl, TMPDIR: folder, PATH: `${folder}:${process.env.PATH}` };
  const console = spawn(process.execPath, ["cli/waitlist.ts", "console", "--open"], { env });
  const ended = once(console, "exit");
  using _ = { [Symbol.dispose]: () => console.kill() };
  const readArguments = () => readFile(join(folder, "arguments"), "utf8").catch(() => "");
  await expect.poll(readArguments).toMatch(/\n$/);
  const file = (await readArguments()).trim();
  expect(file).toMatch(/\/open\.html$/);
  expect([(await stat(file)).mode & 0o777, (await stat(dirname(file))).mode & 0o777]).toEqual([0o600, 0o700]);

  await using page = await browser.newPage();
  await page.goto(`file://${file}`);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect.poll(() => existsSync(dirname(file))).toBe(false);
  console.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
});
