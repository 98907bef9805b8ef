import { type RawBuilder, sql } from "kysely";
import { SHARED_WITH } from "#brand/legal.ts";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { createSecret } from "#core/http/signature.ts";
import { allowedNetworks } from "./post.ts";

type NewEndpoint = Pick<Tables["webhook_endpoints"], "url" | "sends">;

/** Returns why nothing may be sent to this endpoint, or undefined. */
export function findRefusal(hosts: string[], { url, sends }: NewEndpoint): string | undefined {
  if (!allowedNetworks(hosts, url))
    return "Use an https URL without a password, on a host in the mail worker's WEBHOOK_HOSTS. Set it here too.";
  if (sends === "contact" && !SHARED_WITH)
    return "Tell people first who gets their data: set SHARED_WITH in brand/legal.ts, and deploy it.";
  return undefined;
}

/** Starts with the next event. Call `findRefusal` first. The secret can't be read again; a digest needs none. */
export function addEndpoint(db: Database, actor: Actor, { url, sends }: NewEndpoint) {
  const secret = createSecret();
  return db.transaction().execute(async (transaction) => {
    const added = await sql<{ id: string }>`
      insert into webhook_endpoints (url, secrets, sends) values (${new URL(url).href}, ${[secret]}, ${sends})
      returning id`.execute(transaction);
    const { id } = onlyRow(added);
    await recordActivity(transaction, actor, { action: "add webhook", webhook: id });
    return { id, secret: sends === "digest" ? undefined : secret };
  });
}

const CHANGES = {
  test: (id) => sql`
    insert into webhook_events (type, endpoint_id) select 'webhook.test', id from webhook_endpoints where id = ${id}`,
  pause: (id) => sql`update webhook_endpoints set state = 'paused' where id = ${id}`,
  resume: (id) => sql`
    update webhook_endpoints set state = 'active', attempts = 0, failing_since = null, next_try_at = now()
    where id = ${id}`,
  rotate: (id, secret) => sql`update webhook_endpoints set secrets = ${[secret]} where id = ${id}`,
  remove: (id) => sql`delete from webhook_endpoints where id = ${id}`,
} satisfies Record<string, (id: string, secret?: string) => RawBuilder<unknown>>;

export type EndpointChange = keyof typeof CHANGES;

/** Returns the new secret after "rotate". Undefined if there is no such endpoint. */
export function changeEndpoint(db: Database, actor: Actor, change: EndpointChange, id: string) {
  const secret = change === "rotate" ? createSecret() : undefined;
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await CHANGES[change](id, secret).execute(transaction);
    if (!numAffectedRows) return undefined;
    await recordActivity(transaction, actor, { action: `${change} webhook`, webhook: id });
    return { secret };
  });
}

export function listEndpoints(db: Database) {
  const columns = ["id", "host", "sends", "state", "failing_since", "next_try_at"] as const;
  return db.selectFrom("webhook_endpoints").select(columns).orderBy("id").execute();
}

/** Newest first. */
export function readAttempts(db: Database, endpointId: string, limit: number) {
  const columns = ["at", "type", "status", "outcome", "attempt", "webhook_id"] as const;
  const attempts = db.selectFrom("webhook_deliveries").select(columns).where("endpoint_id", "=", endpointId);
  return attempts.orderBy("id", "desc").limit(limit).execute();
}
