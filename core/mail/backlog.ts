import type { Executor } from "#core/database/transaction.ts";
import { CONFIRMATION, LINK } from "./recipients.ts";

export interface MailBacklog {
  /** Due and not sent, without messages to many that go out at their own pace. */
  waiting: number;
  /** Since when the oldest of them has been waiting. */
  waitingSince: Date | null;
  /** Given up, of any kind. */
  dead: number;
}

/** Counting stops here, so that a scrape stays cheap after a launch that leaves a million mails due. */
const MAX_COUNTED = 100_000;

/**
 * What the metrics say about mail, from partial indexes only: a scrape every few seconds must not read the list. A
 * person who signs up again has no timestamp of that, so `waitingSince` counts only first mails before they are jobs.
 */
export async function readMailBacklog(db: Executor): Promise<MailBacklog> {
  const limited = (rows: string) => `(select count(*) from (${rows} limit ${MAX_COUNTED}) as counted)`;
  const pending = `from deliveries where state = 'pending' and message_id in (${CONFIRMATION}, ${LINK})`;
  const { rows } = await db.query<{ waiting: string; dueSince: Date | null; queuedSince: Date | null; dead: string }>(`
    select
      ${limited("select from sign_ups where mail_due")}
        + ${limited(`select ${pending} and queued_at is null`)}
        + ${limited(`select ${pending} and queued_at is not null`)} as waiting,
      (
        select joined_at from sign_ups
        where mail_due and not exists (select from deliveries where sign_up_id = id) order by id limit 1
      ) as "dueSince",
      (
        select min(queued_at) from (select queued_at ${pending} and queued_at is not null limit ${MAX_COUNTED}) as queued
      ) as "queuedSince",
      ${limited("select from deliveries where state = 'failed'")} as dead`);
  const { waiting = 0, dueSince = null, queuedSince = null, dead = 0 } = rows[0] ?? {};
  const [waitingSince = null] = [dueSince, queuedSince]
    .filter((since) => since !== null)
    .toSorted((one, other) => one.getTime() - other.getTime());
  return { waiting: Number(waiting), waitingSince, dead: Number(dead) };
}
