import PostalMime from "postal-mime";
import type { Change } from "#tests/drills/harness/change-source.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { until } from "#tests/drills/harness/until.ts";
import { startWorker } from "#tests/drills/harness/worker.ts";
import { sendNews } from "#tests/support/messages.ts";
import { stored } from "#tests/support/sign-ups.ts";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";
import { startExim } from "./exim.ts";
import { openEvents, withControls } from "./service.ts";

/** The last mail server's refusals by recipient; it accepts other emails. */
const REPLIES = new Map([
  ["unknown@example.com", "550 5.1.1 No such user"],
  ["full@example.com", "452 4.2.2 Mailbox full"],
  ["policy@example.com", "550 5.7.1 Blocked"],
]);
const PEOPLE = [...REPLIES.keys(), "fine@example.com"];

/** Exim's Status is 5.0.0 for every failure, so only the diagnostic code tells failures apart. */
export const relay: Drill = {
  breaks: "addresses that a mail server refuses, directly and behind Exim as a relay",
  shows: "SMTP responses and events about the same failures end in the same states",
  ...withControls(compare, [
    {
      without: "the diagnostic code",
      finds: "lost",
      changes: [["core/mail/events/ses.ts", "status, diagnosticCode);", "status);"]],
    },
  ]),
};

async function compare(context: Context, changes?: Change[]): Promise<Outcome> {
  const directly = await sendVia(context, false, changes);
  const relayed = await sendVia(context, true, changes);
  const lost = PEOPLE.filter((email) => directly.get(email) !== relayed.get(email)).length;
  const figures = Object.fromEntries(PEOPLE.map((email) => [email, [directly.get(email), relayed.get(email)]]));
  return { acknowledged: PEOPLE.length, lost, duplicated: 0, figures };
}

/** Emails everyone, and returns how each email ended, by address. */
async function sendVia(context: Context, isRelayed: boolean, changes?: Change[]): Promise<Map<string, string>> {
  const { keep } = context;
  const { env, db, sns, post } = await openEvents(context, PEOPLE.length, changes);
  for (const [index, email] of PEOPLE.entries()) {
    await db
      .updateTable("sign_ups")
      .set(stored(email))
      .where("id", "=", String(index + 1))
      .execute();
  }
  const answered = new Set<string>();
  /** Turns Exim's delivery report into SES's event. SES copies a recipient's fields from such reports. */
  async function onMail(raw: Buffer): Promise<void> {
    const { attachments } = await PostalMime.parse(raw, { attachmentEncoding: "utf8" });
    const report = String(attachments.find(({ mimeType }) => mimeType === "message/delivery-status")?.content ?? "");
    const field = (name: string) => new RegExp(`^${name}: (?:rfc822;)?(.+)$`, "im").exec(report)?.[1]?.trim() ?? "";
    if (!report) return;
    const recipient = { status: field("Status"), diagnosticCode: field("Diagnostic-Code") };
    const bouncedRecipients = [{ emailAddress: field("Final-Recipient"), ...recipient }];
    const bounceType = field("Action") === "failed" ? "Permanent" : "Transient";
    await post("ses", sns.sign({ bounce: { bounceType, timestamp: new Date().toISOString(), bouncedRecipients } }));
    answered.add(field("Final-Recipient"));
  }
  function answer(address: string): Error | null {
    const reply = REPLIES.get(address);
    if (!isRelayed || !reply) answered.add(address);
    return reply ? Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) }) : null;
  }
  const smtp = await keep(
    startSmtpServer({ onRcptTo: ({ address }, _session, done) => done(answer(address)), onMail }),
  );
  const { url } = isRelayed ? await keep(startExim(new URL(smtp.url).port)) : smtp;
  const message = await sendNews(db);
  const worker = await keep(startWorker({ ...env, SMTP_URL: url }));
  await until("every address is answered", () => PEOPLE.every((email) => answered.has(email)));
  await worker.stop();
  const { rows } = await db.pool.query<{ email: string; ending: string }>(
    `select email, concat_ws(', ', case when state in ('bounced', 'failed') then state else 'not failed' end, reason,
      case when rejected_at is null then 'gets mail' else 'rejected' end, case when newsletter then 'subscribed' end) as ending
    from deliveries join sign_ups on id = sign_up_id where message_id = $1`,
    [message],
  );
  return new Map(rows.map(({ email, ending }) => [email, ending]));
}
