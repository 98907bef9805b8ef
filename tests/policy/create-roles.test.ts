import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const ROLES = ["migrate", "serve", "work", "operate", "console"];

test("create-roles.sh passes no password as an argument, which everyone on the machine could read", () => {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-roles-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const psql = '#!/bin/sh\necho "$@" >"$SECRETS/arguments"; env >"$SECRETS/environment"; cat >/dev/null\n';
  writeFileSync(join(folder, "psql"), psql, { mode: 0o755 });
  for (const role of ROLES) writeFileSync(join(folder, `${role}_url`), `postgres://x:secret-${role}@postgres/farwatch`);
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    SECRETS: folder,
    POSTGRES_USER: "postgres",
    POSTGRES_DB: "farwatch",
  };
  execFileSync("sh", ["deploy/postgres/create-roles.sh"], { env });
  expect(readFileSync(join(folder, "arguments"), "utf8")).not.toContain("secret");
  const passed = readFileSync(join(folder, "environment"), "utf8");
  for (const role of ROLES) expect(passed).toContain(`${role}=secret-${role}`);
});
