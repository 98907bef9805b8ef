import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#core/config/config.ts";
import { readGuide } from "#tests/support/guide.ts";

const compose = readFileSync("compose.yaml", "utf8");

/** The lines below a key, up to the next key with the same indentation. */
function blocks(text: string, indentation: string): { key: string; body: string }[] {
  const pattern = new RegExp(`^${indentation}([\\w-]+):(.*\\n(?:(?:${indentation} .*)?\\n)*)`, "gm");
  return [...text.matchAll(pattern)].map(([, key = "", body = ""]) => ({ key, body }));
}

const topLevel = blocks(compose, "");
const services = blocks(topLevel.find(({ key }) => key === "services")?.body ?? "", "  ");

/** A service's own lines and those of the anchors that it merges. */
function merged(body: string): string {
  const anchors = [...body.matchAll(/<<: \*(\w+)/g)].map(([, anchor]) => `&${anchor}\n`);
  const parents = topLevel.filter((block) => anchors.some((anchor) => block.body.trimStart().startsWith(anchor)));
  return [body, ...parents.map((parent) => merged(parent.body))].join("\n");
}

test("finds the services of compose.yaml", () => {
  expect(services.map(({ key }) => key)).toEqual(expect.arrayContaining(["postgres", "server", "worker", "valkey"]));
});

test("each service has its own role, and PostgreSQL alone has the superuser's password", () => {
  const secretsOf = (service: string) =>
    /^ {2,4}secrets: (.*)$/m.exec(merged(services.find(({ key }) => key === service)?.body ?? ""))?.[1] ?? "";
  const roles = {
    migrate: "migrate_url",
    waitlist: "operate_url",
    server: "serve_url",
    worker: "work_url",
    team: "console_url",
  };
  for (const [service, url] of Object.entries(roles))
    expect(secretsOf(service)).toContain(`{ source: ${url}, target: database_url }`);
  const privileged = services.filter(({ key }) => secretsOf(key).includes("postgres_password"));
  expect(privileged.map(({ key }) => key)).toEqual(["postgres"]);
  expect(secretsOf("team").match(/\w+/g)?.slice(4)).toEqual(["erasure_key", "oidc_client_secret"]);
});

// By default, Docker appends a container's output to one file until the disk is full.
test.each(services)("the service $key rotates its logs", ({ body }) => {
  expect(merged(body)).toMatch(/^ +logging: \{ driver: \S+, options: \{ max-size: \d+m, max-file: "\d+" \} \}$/m);
});

// A service's list of secrets replaces its anchor's list, and a program refuses to start without a secret's file.
test.each(services)("the service $key gets every secret that its settings name", ({ body }) => {
  const lines = merged(body);
  const secrets = /^ +secrets: \[(.*)\]$/m.exec(lines)?.[1]?.match(/\w+/g) ?? [];
  const named = [...lines.matchAll(/_FILE: \/run\/secrets\/(\w+)$/gm)].map(([, name]) => name);
  expect(secrets).toEqual(expect.arrayContaining(named));
});

test("deploy/init.sh writes every secret and valid settings, and changes nothing when it is run again", () => {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-init-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of ["deploy/init.sh", ".env.example"]) cpSync(path, join(folder, path));
  const init = () => {
    execFileSync("sh", [join(folder, "deploy/init.sh")]);
    const paths = globSync(["secrets/*", ".env"], { cwd: folder });
    return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8").trim()]));
  };
  const files = init();
  const named = [...compose.matchAll(/\{ file: (.+) \}/g)].map(([, path = ""]) => path);
  expect(Object.keys(files).sort()).toEqual([".env", ...named].sort());
  expect(statSync(join(folder, "secrets")).mode & 0o777).toBe(0o700);
  const settings = Object.fromEntries(
    (files[".env"] ?? "").matchAll(/^(\w+)=(.*)$/gm).map(([, name, value]) => [name, value]),
  );
  const secrets = {
    DATABASE_URL: files["secrets/serve_url"],
    SECRET: files["secrets/secret"],
    SMTP_URL: files["secrets/smtp_url"],
  };
  expect(readConfig({ ...settings, ...secrets }).mail?.smtpUrl).toBe("smtp://mailpit:1025");
  expect(init()).toEqual(files);
});

test("nginx of compose.yaml passes requests to the servers and the team's console, at the addresses that they have", () => {
  const replaced = [...compose.matchAll(/\bs\/([\d.:]+)\/([\d.]+):3000\//g)];
  expect(replaced).toHaveLength(3);
  for (const [index, service] of ["server", "server2", "team"].entries()) {
    const [, from, to] = replaced[index] ?? [];
    expect(readFileSync("deploy/nginx.conf", "utf8").split(`server ${from}`)).toHaveLength(2);
    expect(services.find(({ key }) => key === service)?.body).toContain(`ipv4_address: ${to} `);
  }
});

test("PostgreSQL keeps visitors' data out of its log, as in deploy/private-log.conf", () => {
  const shipped = readFileSync("deploy/private-log.conf", "utf8").match(/^\w.*$/gm);
  expect(compose.match(/(?<=- --)\w+=\w+/g)).toEqual(shipped?.map((line) => line.replaceAll(" ", "")));
});

test("a nightly backup that breaks off replaces none, and the next one keeps yesterday's", () => {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-backups-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [backUp = ""] = readGuide("docs/platforms.md").blocks("Backups with Compose");
  const run = (dump: Buffer, status: number) => {
    writeFileSync(join(folder, "dump"), dump);
    const script = `docker() { cat dump; return ${status}; }; waitlist() { :; }; ${backUp}`;
    execFileSync("bash", ["-c", script], { cwd: folder, stdio: "ignore" });
  };
  const backups = () =>
    globSync("base*", { cwd: folder })
      .sort()
      .map((name) => [name, readFileSync(join(folder, name))]);
  const [first, second] = [gzipSync("first"), gzipSync("second")];
  run(first, 0);
  run(second.subarray(0, -9), 1);
  run(second.subarray(0, -9), 0);
  expect(backups()).toEqual([["base.tar.gz", first]]);
  run(second, 0);
  expect(backups()).toEqual([
    ["base.tar.gz", second],
    ["base.tar.gz.old", first],
  ]);
});
