import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";

const REASONS: Record<string, string> = {
  rejected: "address suppressed",
  unconfirmed: "address not confirmed",
  confirmed: "address confirmed already",
  unsubscribed: "not subscribed",
  uninvited: "invitation taken back",
  invited: "already invited",
  moved: "moved to a newer message",
  refused: "refused by the mail server",
  expired: "tried for two days",
  invalid: "couldn't be composed",
};

export const describeReason = (reason: string | null) => REASONS[reason ?? ""] ?? reason ?? "unknown";

interface DeliveryReason {
  state: "skipped" | "failed";
  reason: string | null;
  people: number;
}

/** Why people didn't get a message, most frequent reason first. Reads all deliveries, which takes a second or so. */
export async function readDeliveryReasons(db: Database, messageId: string): Promise<DeliveryReason[]> {
  const { rows } = await sql<DeliveryReason>`
    select state, reason, count(*)::integer as people from deliveries
    where message_id = ${messageId} and state in ('skipped', 'failed')
    group by 1, 2 order by 3 desc, 1, 2`.execute(db);
  return rows;
}
