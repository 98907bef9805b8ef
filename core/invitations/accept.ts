import { sql } from "kysely";
import type { InvitationConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { invitationId, subjectOf, verifyInvitation } from "#core/links/invitation-tokens.ts";

export type Acceptance = "accepted" | "repeated" | "forged" | "expired" | "taken-back" | "unknown";

/** Records that this token's invitation was used at this time, or returns why not. */
export async function accept(db: Database, config: InvitationConfig, token: string, at: Date): Promise<Acceptance> {
  const claims = await verifyInvitation(config, token, at);
  if (typeof claims === "string") return claims;
  const { jti, sub, member } = claims;
  return db.transaction().execute(async (transaction) => {
    const columns = ["email_key", "wave_id", "invited_at", "accepted_at"] as const;
    const found = transaction.selectFrom("sign_ups").select(columns).where("id", "=", member);
    // Locks the row, so that nobody takes the invitation back before the update. A lock is a write, so a repeated
    // request waits until the acceptance that it read is durable.
    const person = await found.forNoKeyUpdate().executeTakeFirst();
    // After a restore, the id may be someone else's.
    if (!person || subjectOf(config.keys, person.email_key) !== sub) return "unknown";
    const { email_key, wave_id, invited_at, accepted_at } = person;
    if (!invited_at || !wave_id || invitationId(config.keys, wave_id, email_key) !== jti) return "taken-back";
    if (accepted_at) return "repeated";
    await sql`
      update sign_ups set accepted_at = greatest(invited_at, least(${at}::timestamptz, now()))
      where id = ${member}`.execute(transaction);
    return "accepted";
  });
}
