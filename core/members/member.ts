import { sql } from "kysely";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { makeDurable } from "#core/database/durability.ts";
import { stopConfirmations } from "#core/mail/queue/flag-mail.ts";
import { silenceMailbox } from "#core/mail/queue/mailboxes.ts";
import { lastMails, reportMails } from "#core/mail/suppression/reports.ts";
import { recordConsentWording, repeatWithdrawals } from "#core/people/consent.ts";
import { isIn } from "#core/people/states.ts";
import { beforeMove, readLastConsent, readSignUp } from "./person-data.ts";

/** Finds someone on the list. With `orMoved`, also someone moved to quarantine, so that they can still withdraw. */
export async function findMember(db: Database, id: string, { orMoved = false } = {}) {
  const member = (await readSignUp(db, { id })) ?? (orMoved ? await readSignUp(beforeMove(db, id), { id }) : null);
  return member && { ...member, lastConsent: await readLastConsent(db, id) };
}

export type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>;

/**
 * Keeps the first confirmation's time. Lifts a suppression, because the address works after all. Cancels a pending
 * mail, because its link is no longer needed.
 */
export async function confirmAddress(db: Database, id: string): Promise<void> {
  const { numAffectedRows } = await sql`
    update sign_ups set
      confirmed_at = coalesce(confirmed_at, now()), rejected_at = null, mail_network = null
    where id = ${id} and (${isIn("confirmed", false)} or ${isIn("suppressed")})`.execute(db);
  if (!numAffectedRows) await makeDurable(db);
}

/** For a member's click. A repeat changes nothing, because unsubscribing has no rate limit. */
export async function unsubscribe(db: Database, member: Member, { andConfirmations = false } = {}): Promise<void> {
  // Unsubscribes in quarantine first and last, because a move or its undo may commit in between.
  await unsubscribeMoved(db, member);
  await (member.newsletter ? setNewsletter(db, null, member.id, false) : repeatWithdrawals(db, [member.id]));
  if (andConfirmations) await stopConfirmations(db, member);
  await unsubscribeMoved(db, member);
}

function unsubscribeMoved(db: Database, { id, email_key }: Member): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ isUnconfirmed: boolean | null }>`
      select unsubscribe_moved(${id}) as "isUnconfirmed"`.execute(transaction);
    if (rows[0]?.isUnconfirmed) await silenceMailbox(transaction, email_key);
  });
}

/** Idempotent. An operator's withdrawal also outlasts the undoing of a complaint. A null actor is the member. */
export async function setNewsletter(db: Database, actor: Actor | null, id: string, given: boolean): Promise<void> {
  // The ledger references the wording, which is stored only once a server of this version has started.
  if (actor) await recordConsentWording(db);
  await db.transaction().execute(async (transaction) => {
    if (actor && !given) await repeatWithdrawals(transaction, [id]);
    const { numAffectedRows } = await sql`
      update sign_ups set newsletter = ${given} where id = ${id} and newsletter <> ${given}`.execute(transaction);
    if (!numAffectedRows) return makeDurable(transaction);
    await sql`select record_consent(${id}, ${NEWSLETTER_CONSENT.version}, ${given})`.execute(transaction);
    if (!actor && !given) await reportMails(transaction, "unsubscribe", "member", lastMails(sql`${id}`));
    if (actor) await recordActivity(transaction, actor, { action: "unsubscribe", person: id });
  });
}
