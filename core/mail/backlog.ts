import type { Executor } from "#core/database/transaction.ts";
import { DEAD_LETTERS, JOBS_SCHEMA, QUEUE } from "./queue.ts";

export interface MailBacklog {
  /** Due and not sent, whether or not there is a job yet. */
  waiting: number;
  /** Since when the oldest of them has been waiting. */
  waitingSince: Date | null;
  /** Given up: dead letters. */
  dead: number;
}

/** Counting stops here, so that a scrape stays cheap after a launch that leaves a million mails due. */
const MAX_COUNTED = 100_000;

/**
 * What the metrics say about mail, from partial indexes only: a scrape every few seconds must not read the list. A
 * person who signs up again has no timestamp of that, so `waitingSince` counts only first mails before they are jobs.
 */
export async function readMailBacklog(db: Executor): Promise<MailBacklog> {
  const { rows } = await db.query<{ due: string; dueSince: Date | null; hasJobs: boolean }>(`
    select
      (select count(*) from (select from sign_ups where mail_due limit ${MAX_COUNTED}) as counted) as due,
      (select joined_at from sign_ups where mail_due and mails = 0 order by id limit 1) as "dueSince",
      to_regclass('${JOBS_SCHEMA}.job') is not null as "hasJobs"`);
  const { due = 0, dueSince = null, hasJobs } = rows[0] ?? {};
  const jobs = hasJobs ? await readJobs(db) : { queued: 0, queuedSince: null, dead: 0 };
  const [waitingSince = null] = [dueSince, jobs.queuedSince]
    .filter((since) => since !== null)
    .toSorted((one, other) => one.getTime() - other.getTime());
  return { waiting: Number(due) + Number(jobs.queued), waitingSince, dead: Number(jobs.dead) };
}

/** pg-boss creates the table when the first worker starts. The conditions are those of its index for pending jobs. */
async function readJobs(db: Executor): Promise<{ queued: string; queuedSince: Date | null; dead: string }> {
  const pending = (queue: string, columns: string) =>
    `select ${columns} from ${JOBS_SCHEMA}.job where name = '${queue}' and state < 'active' and not blocked limit ${MAX_COUNTED}`;
  const { rows } = await db.query<{ queued: string; queuedSince: Date | null; dead: string }>(`
    select count(*) as queued, min(created_on) as "queuedSince",
      (select count(*) from (${pending(DEAD_LETTERS, "")}) as counted) as dead
    from (${pending(QUEUE, "created_on")}) as pending`);
  const [counts] = rows;
  if (!counts) throw new Error("The count returned no row");
  return counts;
}
