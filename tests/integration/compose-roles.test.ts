import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "#core/database/connect.ts";
import { ROLES } from "#core/database/roles.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

// A developer's machine may not have psql; CI always does.
describe.skipIf(!existsSync("/usr/bin/psql"))("deploy/postgres/create-roles.sh", () => {
  let postgres: Postgres;
  let secrets: string;
  const urls: Record<string, string> = {};

  beforeAll(async () => {
    postgres = await startScratchPostgres();
    secrets = await mkdtemp(join(tmpdir(), "farwatch-secrets-"));
    const { host } = new URL(postgres.url);
    for (const [file, role] of Object.entries({
      migrate_url: "farwatch",
      serve_url: "farwatch_serve",
      operate_url: "farwatch_operate",
    })) {
      urls[role] = `postgres://${role}:password-of-${role}@${host}/postgres`;
      await writeFile(join(secrets, file), `${urls[role]}\n`);
    }
  }, 30_000);
  afterAll(async () => {
    await postgres.stop();
    await rm(secrets, { recursive: true });
  });

  function createRoles(): void {
    const { hostname, port, password } = new URL(postgres.url);
    const database = { POSTGRES_USER: "postgres", POSTGRES_DB: "postgres" };
    const connection = { PGHOST: hostname, PGPORT: port, PGPASSWORD: password };
    execFileSync("sh", ["deploy/postgres/create-roles.sh"], {
      env: { PATH: process.env.PATH, SECRETS: secrets, ...database, ...connection },
    });
  }

  test("creates a role that migrates and owns everything, and grants the others", async () => {
    createRoles();
    createRoles();
    const { granted } = await migrateDatabase(urls.farwatch ?? "");
    expect(granted.sort()).toEqual([...ROLES].sort());
    const superuser = connect(postgres.url);
    const { rows } = await superuser.pool.query(`
      select relname from pg_class
      where relnamespace = 'public'::regnamespace and relowner <> 'farwatch'::regrole
      union all select proname from pg_proc
      where pronamespace = 'public'::regnamespace and proowner <> 'farwatch'::regrole
      union all select rolname from pg_roles where rolname ~ '^farwatch' and (rolsuper or rolcreaterole or rolcreatedb)`);
    await superuser.destroy();
    expect(rows).toEqual([]);
    for (const role of ROLES) {
      const db = connect(urls[role] ?? "");
      await requireSchema(db, "server").finally(() => db.destroy());
    }
  }, 30_000);

  test("compose.yaml gives each service its own role, and the superuser's password to PostgreSQL alone", async () => {
    const services = (await readFile("compose.yaml", "utf8")).split(/^ {2}(?=\w+:$)/m);
    const secretsOf = (service: string) =>
      /^ {4}secrets: (.*)$/m.exec(services.find((text) => text.startsWith(`${service}:`)) ?? "")?.[1];
    expect(secretsOf("postgres")).toContain("postgres_password");
    expect(secretsOf("migrate")).toContain("{ source: migrate_url, target: database_url }");
    expect(secretsOf("waitlist")).toContain("{ source: operate_url, target: database_url }");
    // The default of our services.
    expect([secretsOf("server"), secretsOf("worker")]).toEqual([undefined, undefined]);
    expect(services[0]).toContain("secrets: [{ source: serve_url, target: database_url }");
    expect(services.filter((text) => /^ {2,4}secrets: .*postgres_password/m.test(text))).toHaveLength(1);
  });
});
