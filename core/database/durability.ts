import { sql } from "kysely";
import type { Database } from "./connect.ts";

export const DURABILITY_SETTINGS = ["fsync", "synchronous_commit"] as const;
export type DurabilitySetting = (typeof DURABILITY_SETTINGS)[number];

/** The settings that let PostgreSQL acknowledge a commit before it is on disk. */
export async function unsafeSettings(db: Database): Promise<DurabilitySetting[]> {
  const { rows } = await sql<{ name: DurabilitySetting }>`
    select name from pg_settings
    where name in (${sql.join(DURABILITY_SETTINGS)}) and setting not in ('on', 'remote_apply')`.execute(db);
  return rows.map(({ name }) => name);
}
