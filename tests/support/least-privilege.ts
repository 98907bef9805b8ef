import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { ROLES } from "#core/database/roles.ts";
import { type Migrated, migrateDatabase } from "#core/service/migrate-database.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

type Role = "farwatch" | (typeof ROLES)[number];

export interface LeastPrivilege {
  /** What the owner's `waitlist migrate` did. */
  migrated: Migrated;
  url: Record<Role, string>;
  /** A connection as each role. */
  db: Record<Role, Database>;
}

/**
 * For a whole test file: a migrated database whose owner, servers and operators connect as different roles, none of
 * them a superuser. On a PostgreSQL of its own, because roles belong to the server and other tests run without them.
 */
export function useLeastPrivilege(): LeastPrivilege {
  const context = { url: {}, db: {} } as LeastPrivilege;
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startScratchPostgres();
    const { host, password } = new URL(postgres.url);
    const superuser = new Client({ connectionString: postgres.url });
    await superuser.connect();
    for (const role of ["farwatch", ...ROLES] as const) {
      await superuser.query(`create role ${role} login password '${password}'`);
      context.url[role] = `postgres://${role}:${password}@${host}/farwatch`;
      context.db[role] = connect(context.url[role]);
    }
    await superuser.query("create database farwatch owner farwatch");
    await superuser.end();
    context.migrated = await migrateDatabase(context.url.farwatch);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(Object.values(context.db).map((db) => db.destroy()));
    await postgres.stop();
  });
  return context;
}
