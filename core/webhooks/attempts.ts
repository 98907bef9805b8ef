import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { type ClaimedEvent, LEASE } from "./events.ts";

/** The example schedule of Standard Webhooks. At its end, an endpoint has failed for more than three days. */
const RETRY_DELAYS = "5s 5m 30m 2h 5h 10h 14h 20h 24h".split(" ");
const MAX_REFUSALS = 3;
/** From one claim to the next: at most 20 events a second. */
const PACE = "50 milliseconds";

/** "set aside": the receiver refuses this event, so the next one gets its turn. "gone": it wants no more events. */
type Outcome = "delivered" | "failed" | "set aside" | "gone";

/** A timeout (408) and a rate limit (429) are no verdict on the event, so later events wait, as after a 5xx. */
function outcomeOf(status: string, attempt: number): Outcome {
  if (/^2\d\d$/.test(status)) return "delivered";
  if (status === "410") return "gone";
  return /^4(?!08|29)\d\d$/.test(status) && attempt >= MAX_REFUSALS ? "set aside" : "failed";
}

/** Records what happened, in the endpoint and in the log of deliveries. */
export async function recordAttempt(db: Database, event: ClaimedEvent, status: string, pace = PACE): Promise<void> {
  const attempt = event.attempts + 1;
  const outcome = outcomeOf(status, attempt);
  const advance = sql`
    cursor = ${event.position}, attempts = 0, next_try_at = next_try_at - ${LEASE} + ${pace}::interval`;
  const fail = sql`failing_since = coalesce(failing_since, now()), state = case
    when state = 'active' and failing_since < now() - interval '3 days' then 'disabled' else state end`;
  const delay = RETRY_DELAYS[attempt - 1] ?? RETRY_DELAYS.at(-1);
  const changes = {
    delivered: sql`${advance}, failing_since = null`,
    "set aside": sql`${advance}, ${fail}`,
    failed: sql`attempts = ${attempt}, next_try_at = now() + ${delay}::interval, ${fail}`,
    gone: sql`state = 'gone'`,
  };
  // Skips the endpoint if its cursor moved: another worker sent the event after this worker's lease ended.
  await sql`
    with changed as (
      update webhook_endpoints set ${changes[outcome]} where id = ${event.endpointId} and cursor = ${event.cursor}
    )
    insert into webhook_deliveries (endpoint_id, webhook_id, type, attempt, status, outcome)
    select id, ${event.webhookId}, ${event.type}, ${attempt}, ${status}, ${outcome} from webhook_endpoints
    where id = ${event.endpointId}`.execute(db);
}
