import { sql } from "kysely";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { makeDurable } from "#core/database/durability.ts";
import { onePerson, retryTransaction } from "#core/database/transaction.ts";
import { stopConfirmations } from "#core/mail/queue/flag-mail.ts";
import { lastMails, reportMails } from "#core/mail/suppression/reports.ts";
import { recordConsentWording, repeatWithdrawals } from "#core/people/consent.ts";
import { isIn } from "#core/people/states.ts";
import { readLastConsent, readSignUp } from "./person-data.ts";
import { type Aside, countAgain } from "./set-aside.ts";

/** Also finds someone who is set aside, because their page and their links go on working. */
export async function findMember(db: Database, id: string) {
  const member = await readSignUp(db, { id });
  return member && { ...member, lastConsent: await readLastConsent(db, id) };
}

export type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>;

/**
 * Keeps the first confirmation's time. Lifts a suppression, because the address works after all. Cancels a pending
 * mail, because its link is no longer needed. Someone who was set aside is back on the list, because no bot confirms.
 */
export function confirmAddress(db: Database, id: string): Promise<void> {
  return retryTransaction(db, async (transaction) => {
    const { rows } = await sql<Aside & { wasSetAside: boolean }>`
      update sign_ups set
        confirmed_at = coalesce(confirmed_at, now()), suppressed_at = null, set_aside_at = null, mail_network = null
      from (
        select id, ${isIn("setAside")} as "wasSetAside" from sign_ups
        where id = ${id} and (${isIn("confirmed", false)} or ${isIn("suppressed")} or ${isIn("setAside")})
        for no key update
      ) as before
      where sign_ups.id = before.id
      returning sign_ups.id, company_key, "wasSetAside"`.execute(transaction);
    const [confirmed] = rows;
    if (!confirmed) await makeDurable(transaction);
    else if (confirmed.wasSetAside) await countAgain(onePerson(transaction), rows);
  });
}

/** For a member's click. A repeat changes nothing, because unsubscribing has no rate limit. */
export async function unsubscribe(db: Database, member: Member, { andConfirmations = false } = {}): Promise<void> {
  await (member.newsletter ? setNewsletter(db, null, member.id, false) : repeatWithdrawals(onePerson(db), [member.id]));
  if (andConfirmations) await stopConfirmations(db, member);
}

/** Idempotent. An operator's withdrawal also outlasts the undoing of a complaint. A null actor is the member. */
export async function setNewsletter(db: Database, actor: Actor | null, id: string, given: boolean): Promise<void> {
  // The ledger references the wording, which is stored only once a server of this version has started.
  if (actor) await recordConsentWording(db);
  await db.transaction().execute(async (transaction) => {
    if (actor && !given) await repeatWithdrawals(onePerson(transaction), [id]);
    const { numAffectedRows } = await sql`
      update sign_ups set newsletter = ${given} where id = ${id} and newsletter <> ${given}`.execute(transaction);
    if (!numAffectedRows) return makeDurable(transaction);
    await sql`select record_consent(${id}, ${NEWSLETTER_CONSENT.version}, ${given})`.execute(transaction);
    if (!actor && !given)
      await reportMails(onePerson(transaction), "unsubscribe", "member", lastMails(sql`select ${id}::bigint`));
    if (actor) await recordActivity(transaction, actor, { action: "unsubscribe", person: id });
  });
}
