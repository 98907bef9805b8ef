import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

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
  const roles = { migrate: "migrate_url", waitlist: "operate_url", server: "serve_url", worker: "work_url" };
  for (const [service, url] of Object.entries(roles))
    expect(secretsOf(service)).toContain(`{ source: ${url}, target: database_url }`);
  const privileged = services.filter(({ key }) => secretsOf(key).includes("postgres_password"));
  expect(privileged.map(({ key }) => key)).toEqual(["postgres"]);
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

test("PostgreSQL keeps visitors' data out of its log, as in deploy/private-log.conf", () => {
  const shipped = readFileSync("deploy/private-log.conf", "utf8").match(/^\w.*$/gm);
  expect(compose.match(/(?<=- --)\w+=\w+/g)).toEqual(shipped?.map((line) => line.replaceAll(" ", "")));
});
