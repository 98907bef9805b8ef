import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { brand } from "#brand/brand.ts";
import { STATS_PATH } from "#contract/paths.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { post } from "#tests/support/post.ts";
import { descendantsOf, isRunning } from "#tests/support/process-tree.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { packagedBinaries } from "#tools/dev/postgres-binaries.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

const dev = {} as {
  origin: string;
  /** TMPDIR of `npm run dev`. */
  scratch: string;
  process: ChildProcess;
  exited: Promise<unknown>;
  output: string;
};

beforeAll(async () => {
  dev.scratch = await mkdtemp(join(tmpdir(), "farwatch-dev-"));
  // PostgreSQL needs access, because it runs as another user if root starts it.
  await chmod(dev.scratch, 0o755);
  const port = await freePort();
  dev.origin = `http://localhost:${port}`;
  dev.process = spawn(process.execPath, ["tools/dev/dev.ts"], {
    env: { PATH: process.env.PATH, PORT: String(port), TMPDIR: dev.scratch, NODE_DISABLE_COMPILE_CACHE: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  dev.exited = once(dev.process, "exit");
  dev.output = "";
  dev.process.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    dev.output += chunk;
  });
  const isReady = () => expect(dev.output).toContain(`${brand.name} (development): ${dev.origin}\n`);
  await vi.waitFor(isReady, { timeout: 55_000, interval: 100 });
});

afterAll(async () => {
  dev.process.kill("SIGTERM");
  await dev.exited;
  await rm(dev.scratch, { recursive: true });
});

test("npm run dev serves the API once it has printed its URL", async () => {
  expect((await fetch(dev.origin + STATS_PATH)).status).toBe(200);
});

test("npm run dev catches the confirmation email, whose link opens the member page", async () => {
  const { email } = aSignUp();
  expect((await post(dev.origin, aSignUp({ email }))).status).toBe(201);
  await expect.poll(() => dev.output, { timeout: 20_000 }).toContain(`Mail to ${email}: `);
  const [, link = ""] = /^Mail to .* (http:\S+)$/m.exec(dev.output) ?? [];
  expect(link.startsWith(dev.origin)).toBe(true);
  expect((await fetch(link)).status).toBe(200);

  const [, index = ""] = /^Its mail: (.+)$/m.exec(dev.output) ?? [];
  await expect.poll(() => readFile(index, "utf8")).toContain(`to ${email}`);
  expect(await readFile(join(index, "../0001.html"), "utf8")).toContain(link);
});

test("npm run dev serves the console, and the token in its printed link opens it", async () => {
  await expect.poll(() => dev.output).toMatch(/^Its console: \S+$/m);
  const { origin, hash } = new URL(/^Its console: (\S+)$/m.exec(dev.output)?.[1] ?? "");
  expect(await (await fetch(origin)).text()).toContain('src="./main.tsx');
  const get = (path: string, token: string) =>
    fetch(origin + path, { headers: { authorization: `Bearer ${token}`, "sec-fetch-site": "same-origin" } });
  expect((await get("/tokens.css", "")).headers.get("content-type")).toMatch("text/css");
  // Otherwise, a preview's frame would show the console's page.
  expect((await get("/preview/1", "")).status).toBe(403);
  expect((await get("/api/people", "another")).status).toBe(401);
  expect((await get("/api/people", hash.slice(1))).status).toBe(200);
  expect((await get("/preview/none", hash.slice(1))).status).not.toBe(200);
});

test.each([
  ["a wrong PORT", { PORT: "abc" }, 'PORT must be from 0 to 65535, got "abc".\n'],
  ["a folder that doesn't exist", { TMPDIR: "/nowhere" }, /^Can't access a file or folder: ENOENT.*\/nowhere\/.*\n$/],
])("npm run dev names %s in one line", async (_name, env, line) => {
  const { code, stderr } = await runNode("tools/dev/dev.ts", { PORT: "0", ...env });
  expect({ code, stderr }).toEqual({ code: 1, stderr: typeof line === "string" ? line : expect.stringMatching(line) });
});

test("closing the terminal ends every process of npm run dev and removes its temporary files", async () => {
  const processes = descendantsOf(dev.process.pid ?? 0);
  expect(processes.length).toBeGreaterThan(2);
  dev.process.kill("SIGHUP");
  const exit = await dev.exited;
  const stillRunning = processes.filter(isRunning);
  for (const pid of stillRunning) process.kill(pid, "SIGKILL");
  expect(stillRunning).toEqual([]);
  expect(exit).toEqual([0, null]);
  expect(await readdir(dev.scratch)).toEqual([]);
});

test("a machine without PostgreSQL runs the one from npm, which leaves no files behind", async () => {
  const within = await mkdtemp(join(tmpdir(), "farwatch-npm-"));
  await chmod(within, 0o755);
  const postgres = await startScratchPostgres({ within, binariesFor: packagedBinaries });
  expect((await migrateDatabase(postgres.url)).applied).toContain("0001-first-release");
  await postgres.stop();
  expect(await readdir(within)).toEqual([]);
  await rm(within, { recursive: true });
});
