import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { ROLES } from "#core/database/roles.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

type Role = "farwatch" | (typeof ROLES)[number];

export interface LeastPrivilege {
  /** The result of the owner's `waitlist migrate`. */
  migrated: Awaited<ReturnType<typeof migrateDatabase>>;
  /** The URL of the role that created the other roles and the database. */
  adminUrl: string;
  url: Record<Role, string>;
  /** A connection as each role. */
  db: Record<Role, Database>;
}

/**
 * For a whole test file: a migrated database with the roles of deploy/postgres/create-roles.sh for its owner, servers
 * and operators. As at a cloud provider, neither these roles nor the admin who runs the script are superusers. Starts
 * its own PostgreSQL, because roles are server-wide, and other tests run without them.
 */
export function useLeastPrivilege(): LeastPrivilege {
  const context = { url: {}, db: {} } as LeastPrivilege;
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startScratchPostgres();
    const { host } = new URL(postgres.url);
    for (const role of ["farwatch", ...ROLES] as const) {
      context.url[role] = `postgres://${role}:password-of-${role}@${host}/postgres`;
      context.db[role] = connect(context.url[role]);
    }
    context.adminUrl = await createAdmin(postgres.url);
    // The script needs psql, which a developer's machine may lack; CI always has it.
    const create = existsSync("/usr/bin/psql") ? runScript : createRoles;
    await create(context.adminUrl, context.url);
    context.migrated = await migrateDatabase(context.url.farwatch);
  });
  afterAll(async () => {
    await Promise.all(Object.values(context.db).map((db) => db.destroy()));
    await postgres.stop();
  });
  return context;
}

async function createAdmin(superuser: string): Promise<string> {
  const client = new Client({ connectionString: superuser });
  await client.connect();
  const { host, password } = new URL(superuser);
  await client.query(`create role admin login createrole createdb password '${password}'`);
  await client.query("alter database postgres owner to admin");
  await client.end();
  return `postgres://admin:${password}@${host}/postgres`;
}

/** Runs the script twice, because operators rerun it to change a password. */
async function runScript(admin: string, url: LeastPrivilege["url"]): Promise<void> {
  const { hostname, port, password } = new URL(admin);
  const secrets = await mkdtemp(join(tmpdir(), "farwatch-secrets-"));
  const ours = { migrate_url: url.farwatch, serve_url: url.farwatch_serve };
  const files = {
    ...ours,
    work_url: url.farwatch_work,
    operate_url: url.farwatch_operate,
    console_url: url.farwatch_console,
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(secrets, file), `${text}\n`);
  const database = { POSTGRES_USER: "admin", POSTGRES_DB: "postgres" };
  const connection = { PGHOST: hostname, PGPORT: port, PGPASSWORD: password };
  const env = { PATH: process.env.PATH, SECRETS: secrets, ...database, ...connection };
  for (let time = 0; time < 2; time += 1) execFileSync("sh", ["deploy/postgres/create-roles.sh"], { env });
  await rm(secrets, { recursive: true });
}

async function createRoles(admin: string, url: LeastPrivilege["url"]): Promise<void> {
  const client = new Client({ connectionString: admin });
  await client.connect();
  for (const { username, password } of Object.values(url).map((each) => new URL(each)))
    await client.query(`create role ${username} login password '${password}'`);
  await client.query("grant farwatch to current_user");
  await client.query("alter database postgres owner to farwatch");
  await client.end();
}
