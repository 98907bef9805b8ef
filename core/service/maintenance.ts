import { type Kysely, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Executor } from "#core/database/transaction.ts";

/** Tasks that a platform's timer runs and records. Mail workers count friends by themselves. */
export const TASKS = ["backup", "restore", "verify", "certificate"] as const;
export type Task = (typeof TASKS)[number];

export const lastMidnight = sql<Date>`date_trunc('day', now(), 'UTC')`;

export async function recordSuccess(db: Kysely<Tables>, task: Task | "friends"): Promise<Date> {
  const recorded = await sql<{ succeeded_at: Date }>`
    insert into maintenance_runs (task, succeeded_at) values (${task}, now())
    on conflict (task) do update set succeeded_at = excluded.succeeded_at
    returning succeeded_at`.execute(db);
  return onlyRow(recorded).succeeded_at;
}

/** When each task last succeeded; a task that never has is missing. */
export async function readLastSuccesses(db: Executor): Promise<Partial<Record<Task, Date>>> {
  const { rows } = await db.query<{ task: Task; succeeded_at: Date }>({
    text: "select task, succeeded_at from maintenance_runs",
  });
  return Object.fromEntries(rows.map(({ task, succeeded_at }) => [task, succeeded_at]));
}
