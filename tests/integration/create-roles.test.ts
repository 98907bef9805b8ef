import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "#core/database/connect.ts";
import { ROLES } from "#core/database/roles.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

// A developer's machine may not have psql; CI always does.
test.skipIf(!existsSync("/usr/bin/psql"))(
  "deploy/postgres/create-roles.sh creates a role that migrates and owns everything, and grants the others",
  async () => {
    const postgres = await startScratchPostgres();
    onTestFinished(postgres.stop);
    const { host, hostname, port, password } = new URL(postgres.url);
    const secrets = await mkdtemp(join(tmpdir(), "farwatch-secrets-"));
    onTestFinished(() => rm(secrets, { recursive: true }));
    const urlOf = (role: string) => `postgres://${role}:password-of-${role}@${host}/postgres`;
    for (const [file, role] of Object.entries({
      migrate_url: "farwatch",
      serve_url: "farwatch_serve",
      operate_url: "farwatch_operate",
    })) {
      await writeFile(join(secrets, file), `${urlOf(role)}\n`);
    }
    const database = { POSTGRES_USER: "postgres", POSTGRES_DB: "postgres" };
    const connection = { PGHOST: hostname, PGPORT: port, PGPASSWORD: password };
    const env = { PATH: process.env.PATH, SECRETS: secrets, ...database, ...connection };
    for (let time = 0; time < 2; time += 1) execFileSync("sh", ["deploy/postgres/create-roles.sh"], { env });

    expect((await migrateDatabase(urlOf("farwatch"))).granted.sort()).toEqual([...ROLES].sort());
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
      const its = connect(urlOf(role));
      await requireSchema(its, "server").finally(() => its.destroy());
    }
  },
);
