import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { readMailbox } from "#core/mail/queue/mailboxes.ts";
import { type AnswerText, answerTexts } from "#core/people/questions.ts";

export type PersonKey = { id: string } | { email_key: EmailKey };

/** Everything stored about one person. The sign-up is null for someone who is only in quarantine. */
export async function readPersonData(db: Database, key: PersonKey) {
  const signUp = await readSignUp(db, key);
  const emailKey = signUp?.email_key ?? ("email_key" in key ? key.email_key : undefined);
  return {
    signUp,
    answers: signUp ? await readAnswers(db, signUp.id) : [],
    consents: signUp ? await consentsOf(db, signUp.id).orderBy("at").execute() : [],
    deliveries: signUp ? await readDeliveries(db, signUp.id) : [],
    events: signUp ? await readWebhookEvents(db, signUp.id) : [],
    mailbox: emailKey && (await readMailbox(db, emailKey)),
    quarantine: emailKey ? await readQuarantined(db, emailKey) : [],
  };
}

export type PersonData = Awaited<ReturnType<typeof readPersonData>>;

/** The person's row, also while they are set aside; or null. */
export async function readSignUp(db: Database, key: PersonKey) {
  const query = db.selectFrom("sign_ups").selectAll();
  return (await query.where(({ and }) => and(key)).executeTakeFirst()) ?? null;
}

/** Answers to active and retired questions. */
async function readAnswers(db: Database, id: string): Promise<AnswerText[]> {
  const query = db.selectFrom("sign_ups").select(answerTexts.as("answers")).where("id", "=", id);
  return (await query.executeTakeFirst())?.answers ?? [];
}

/** Consents and withdrawals with their wordings. */
function consentsOf(db: Database, signUpId: string) {
  return db
    .selectFrom("consents")
    .innerJoin("consent_wordings", "version", "wording_version")
    .select(["given", "at", "version", "wording"])
    .where("sign_up_id", "=", signUpId);
}

export function readLastConsent(db: Database, signUpId: string) {
  return consentsOf(db, signUpId).orderBy("at", "desc").limit(1).executeTakeFirst();
}

/** The mails to this person, one row per message. The subject of a draft isn't shown. */
async function readDeliveries(db: Database, signUpId: string) {
  return db
    .selectFrom("deliveries")
    .innerJoin("messages", "messages.id", "message_id")
    .select(["messages.kind", sql<string | null>`case when started_at <= now() then subject end`.as("subject")])
    .select(["deliveries.state", "deliveries.reason", "deliveries.copies"])
    .select(["deliveries.created_at", "deliveries.first_tried_at", "deliveries.tried_at", "deliveries.next_try_at"])
    .select(["deliveries.sent_at", "deliveries.mailed_at", "deliveries.is_gmail", "deliveries.reported_at"])
    .select(["deliveries.reported_by", "deliveries.soft_bounced_at", "deliveries.unsubscribed_at"])
    .where("sign_up_id", "=", signUpId)
    .orderBy("message_id")
    .execute();
}

function readWebhookEvents(db: Database, id: string) {
  return db.selectFrom("webhook_events").select(["type", "at"]).where("person_id", "=", id).orderBy("id").execute();
}

function readQuarantined(db: Database, emailKey: EmailKey) {
  return db.selectFrom("quarantine").selectAll().where("email_key", "=", emailKey).orderBy("id").execute();
}
