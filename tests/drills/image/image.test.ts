/**
 * `npm run drill -- image`: builds the image from the Dockerfile and runs it with the sandbox options of compose.yaml.
 * Needs root and Debian's docker.io and debootstrap. The base image is built from Debian's packages and this Node, so
 * none is pulled.
 */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect } from "#core/database/connect.ts";
import { audit } from "#tests/drills/faults/audit.ts";
import { startClients } from "#tests/drills/faults/clients.ts";
import { startBalancer } from "#tests/support/balancer.ts";
import { localFiles } from "#tests/support/local-files.ts";
import { post } from "#tests/support/post.ts";
import { saveResults } from "#tests/support/results.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { makeBase } from "./base.ts";
import { type Docker, startDocker } from "./docker.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 10 * 60_000 });

const SANDBOX = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=host"];

let docker: Docker;
let base: string;
let postgres: ScratchPostgres;
let secrets: string;

beforeAll(async () => {
  secrets = await mkdtemp(join(tmpdir(), "farwatch-secrets-"));
  await chmod(secrets, 0o755);
  postgres = await startScratchPostgres();
  await writeFile(join(secrets, "database_url"), postgres.url);
  docker = await startDocker();
  base = await makeBase(docker);
  await docker("build", "--network=host", `--build-arg=BASE=${base}`, "--tag=farwatch", ".");
});

afterAll(async () => {
  await docker?.stop();
  await postgres?.stop();
  await rm(secrets, { recursive: true });
});

/** Runs the image with these settings, and its default command unless one is given. */
function run(options: string[], settings: Record<string, string | number> = {}, command: string[] = []) {
  const env = Object.entries({ DATABASE_URL_FILE: "/run/secrets/database_url", ...settings });
  const environment = [`--volume=${secrets}:/run/secrets:ro`, ...env.map(([name, value]) => `--env=${name}=${value}`)];
  return docker("run", ...SANDBOX, ...environment, ...options, "farwatch", ...command);
}

const waitlist = (...args: string[]) => run(["--rm"], {}, ["waitlist", ...args]);

const exitCode = (name: string) => docker("inspect", "--format={{.State.ExitCode}}", name);

interface Ports {
  port: number;
  privatePort: number;
}

/** Starts a server in a container with that name; resolves when Docker reports it healthy. */
async function startServer(name: string): Promise<Ports> {
  const ports = { port: await freePort(), privatePort: await freePort() };
  const settings = {
    PORT: ports.port,
    PRIVATE_PORT: ports.privatePort,
    KEPT_ASSETS: "/var/lib/farwatch",
    LIMIT_PER_CLIENT: 1_000_000_000,
  };
  await run(["--detach", `--name=${name}`, "--volume=assets:/var/lib/farwatch"], settings);
  const health = () => docker("inspect", "--format={{.State.Health.Status}}", name);
  await expect.poll(health, { timeout: 30_000, interval: 500 }).toBe("healthy");
  return ports;
}

test("the image contains every file that its programs import, and no tests, tools or dev packages", async () => {
  const listed = await docker("run", "--rm", "farwatch", "find", "/app", "-type", "f", "-printf", "%s %P\\n");
  const files = listed.split("\n").map((line) => {
    const [, size, path = ""] = /^(\d+) (.+)$/.exec(line) ?? [];
    return { path, bytes: Number(size) };
  });
  const top = new Set(files.map(({ path }) => path.split("/")[0]));
  const expected = "brand cli console contract core dist dist-console node_modules package.json server worker";
  expect([...top].sort()).toEqual(expected.split(" "));
  expect(files.filter(({ path }) => /\.test\.ts$|^node_modules\/.*(\.ts|\.map)$/.test(path))).toEqual([]);

  const paths = new Set(files.map(({ path }) => path));
  const imported = localFiles("cli/waitlist.ts", "server/main.ts", "worker/main.ts");
  expect(imported.filter((path) => !paths.has(path))).toEqual([]);

  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
  const needed = Object.keys(packages).filter((path) => path && !packages[path].dev && !packages[path].optional);
  const installed = JSON.parse(await docker("run", "--rm", "farwatch", "cat", "node_modules/.package-lock.json"));
  expect(Object.keys(installed.packages).sort()).toEqual(needed.sort());

  const bytesOf = (folder: string) =>
    files.reduce((sum, { path, bytes }) => (path.startsWith(folder) ? sum + bytes : sum), 0);
  const sizeOf = async (image: string) => Number(await docker("image", "inspect", "--format={{.Size}}", image));
  const [image, baseImage] = [await sizeOf("farwatch"), await sizeOf(base)];
  const figures = {
    files: files.length,
    packages: needed.length,
    packagesBytes: bytesOf("node_modules/"),
    siteBytes: bytesOf("dist/"),
    oursBytes: image - baseImage,
    imageBytes: image,
  };
  console.log(figures);
  await saveResults("image", figures);
});

let blue: Ports;

test("the image migrates the database, accepts a sign-up, and the command line counts it", async () => {
  expect(await waitlist("migrate")).toMatch(/^Applied 0001/);
  blue = await startServer("blue");
  expect((await post(`http://127.0.0.1:${blue.port}`)).status).toBe(201);
  expect(JSON.parse(await waitlist("status", "--json"))).toMatchObject({ totalUsers: 1 });
});

test("the image's command line starts the console, which counts the sign-up and exits with 0", async () => {
  await run(["--detach", "--name=console", "--no-healthcheck"], {}, ["waitlist", "console", "--port", "0"]);
  const link = async () => /http:\S+/.exec(await docker("logs", "console"))?.[0];
  await expect.poll(link, { timeout: 20_000, interval: 500 }).toBeDefined();
  const url = new URL((await link()) ?? "");
  const headers = { "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const page = await fetch(url, { headers });
  expect(await page.text()).toContain('<script type="module"');

  const body = JSON.stringify({ token: url.hash.slice(1) });
  const opened = await fetch(new URL("/api/session", url), { method: "POST", headers, body });
  const authorization = `Bearer ${(await opened.json()).id}`;
  const overview = await fetch(new URL("/api/overview", url), { headers: { ...headers, authorization } });
  expect(await overview.json()).toMatchObject({ people: 1 });
  await docker("stop", "console");
  expect(await exitCode("console")).toBe("0");
});

test("the container runs as uid 1000 with a root file system that not even root can write to", async () => {
  expect(await docker("exec", "blue", "id", "--user")).toBe("1000");
  for (const user of ["1000", "root"])
    await expect(docker("exec", `--user=${user}`, "blue", "touch", "/tmp/file")).rejects.toThrow(
      "Read-only file system",
    );
});

test("the health check fails if nothing listens on the private port", async () => {
  const check = await docker("inspect", "--format={{json .Config.Healthcheck.Test}}", "farwatch");
  const [, ...command] = JSON.parse(check);
  await expect(docker("exec", `--env=PRIVATE_PORT=${await freePort()}`, "blue", ...command)).rejects.toThrow(
    "ECONNREFUSED",
  );
});

test("stopping a container under load behind HAProxy exits with 0 and fails or loses no sign-up", async () => {
  const balancer = await startBalancer(blue, await startServer("green"));
  const clients = startClients([balancer.origin]);
  await pause(1000);
  await docker("stop", "blue");
  await pause(1000);
  const { statuses, acknowledged } = await clients.stop();
  await balancer.stop();
  expect(await exitCode("blue")).toBe("0");
  expect([...statuses.keys()]).toEqual([201]);
  const db = connect(postgres.url);
  expect(await audit(db, acknowledged).finally(() => db.destroy())).toMatchObject({ lost: 0, duplicated: 0 });
  expect(acknowledged.size).toBeGreaterThan(100);
});

test("the image's mail worker sends mail and exits with 0", async () => {
  const smtp = await startScratchSmtp();
  const db = connect(postgres.url);
  await db.pool
    .query("update sign_ups set mail_due = true where id = (select min(id) from sign_ups)")
    .finally(() => db.destroy());
  const settings = {
    SMTP_URL: smtp.url,
    SECRET: "an example secret of 32 characters",
    PUBLIC_ORIGIN: "https://farwatch.example",
  };
  await run(["--detach", "--name=worker", "--no-healthcheck"], settings, ["node", "worker/main.ts"]);
  await expect.poll(() => smtp.mails.length, { timeout: 20_000 }).toBe(1);
  await docker("stop", "worker");
  expect(await exitCode("worker")).toBe("0");
  await smtp.stop();
});
