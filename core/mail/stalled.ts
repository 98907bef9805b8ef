import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { CONFIRMATION, LINK } from "./recipients.ts";

export const MAX_WAIT_MINUTES = 10;
/** A worker sweeps every half second. */
const MAX_SWEEP_MS = 3000;

/**
 * Whether mail waits that a running worker would have sent: it has waited for ten minutes, and nothing was sent or tried
 * in that time. Flags of links and of repeated confirmations have no timestamp: if nothing else was sent, one that is
 * still there after a few seconds counts.
 */
export async function isStalled(db: Database): Promise<boolean> {
  const first = await readWaiting(db);
  if (!first.isIdle || first.isLate || !first.hasUndated) return first.isIdle && first.isLate;
  await pause(MAX_SWEEP_MS);
  const second = await readWaiting(db);
  return second.isIdle && second.hasUndated;
}

interface Waiting {
  /** Nothing was sent or tried lately. */
  isIdle: boolean;
  isLate: boolean;
  hasUndated: boolean;
}

async function readWaiting(db: Database): Promise<Waiting> {
  const tooLong = sql`now() - make_interval(mins => ${MAX_WAIT_MINUTES})`;
  const isQueued = sql`state = 'pending' and queued_at is not null`;
  const isHeld = sql`exists (select from mail_hold where until > now())`;
  const { rows } = await sql<Waiting>`
    select
      coalesce(
        greatest(
          (select max(last_sent_at) from delivery_counts),
          (select max(tried_at) from deliveries where ${isQueued})
        ) < ${tooLong}, true
      ) as "isIdle",
      coalesce(
        least(
          (
            select joined_at from sign_ups
            where mail_due and not ${isHeld} and not exists (select from deliveries where sign_up_id = id)
            order by id limit 1
          ),
          (select min(queued_at) from deliveries where ${isQueued}),
          (
            select min(next_release_at) from messages
            where state = 'sending' and kind in ('invitation', 'announcement')
              and exists (select from deliveries where message_id = messages.id and state = 'pending')
          )
        ) < ${tooLong}, false
      ) as "isLate",
      not ${isHeld} and (
        exists (select from sign_ups where mail_due and exists (select from deliveries where sign_up_id = id))
        or exists (
          select from deliveries
          where message_id in (${CONFIRMATION}, ${LINK}) and state = 'pending' and queued_at is null
        )
      ) as "hasUndated"`.execute(db);
  const [waiting] = rows;
  if (!waiting) throw new Error("The count returned no row");
  return waiting;
}
