// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is replaced has template strings.
import type { Rules } from "./rules.ts";

const RECIPIENTS = "core/messages/recipients.ts";
const FLAG_MAIL = "core/mail/flag-mail.ts";
const DUE = "core/mail/due-confirmations.ts";
const DELIVERIES = "core/mail/deliveries.ts";
const CHOOSE_MAILS = "core/mail/choose-mails.ts";
const STATES = "core/messages/message-states.ts";
const MESSAGES = "core/messages/messages.ts";
const SENDER = "core/mail/sender.ts";
const SENDER_TEST = "core/mail/sender.test.ts";
const MESSAGES_TEST = "tests/integration/messages.test.ts";
const IN_FLIGHT_TEST = "tests/integration/message-in-flight.test.ts";
const MAIL_TEST = "tests/integration/mail.test.ts";
const FAIRNESS_TEST = "tests/integration/mail-fairness.test.ts";
const LINK_TEST = "tests/integration/link-requests.test.ts";
const CONSOLE_TEST = "tests/integration/console-messages.test.ts";

const BY_ANNOUNCEMENT: Rules[string][1] = [
  MESSAGES_TEST,
  "of an announcement is everyone who confirmed and subscribed, and the split says why the others aren't",
];
const BY_STATES: Rules[string][1] = [
  MESSAGES_TEST,
  "goes from draft to sending, paused and canceled, and every other way is refused",
];
/** Who may be emailed, how often and how fast, and which state follows which. */
export const MAIL_RULES: Rules = {
  "Nobody whose address was rejected gets an email": [
    [RECIPIENTS, "when sign_ups.rejected_at is not null then 'rejected'", ""],
    BY_ANNOUNCEMENT,
  ],
  "Nobody who hasn't confirmed gets an announcement": [
    [RECIPIENTS, "when sign_ups.confirmed_at is null then 'unconfirmed'", ""],
    BY_ANNOUNCEMENT,
  ],
  "Nobody who isn't subscribed gets an announcement": [
    [RECIPIENTS, "when ${kind} = 'announcement' and not sign_ups.newsletter then 'unsubscribed'", ""],
    BY_ANNOUNCEMENT,
  ],
  "People who aren't subscribed get their invitation": [
    [RECIPIENTS, "when ${kind} = 'announcement' and not sign_ups.newsletter", "when not sign_ups.newsletter"],
    [MESSAGES_TEST, "of an invitation is everyone who confirmed and isn't invited, marked as one wave"],
  ],
  "Someone who unsubscribes meanwhile gets no email": [
    [DELIVERIES, "(select ${refusalNow()} as refusal)", "(select null::text as refusal)"],
    [IN_FLIGHT_TEST, "someone who unsubscribes, leaves or is rejected gets nothing more, and the reason is recorded"],
  ],
  "Someone whose invitation is taken back gets no email": [
    [RECIPIENTS, "sign_ups.wave_id is distinct from messages.wave_id", "false"],
    [IN_FLIGHT_TEST, "someone whose invitation is taken back gets no mail for it, even if another one follows"],
  ],
  "Someone who has confirmed gets no confirmation": [
    [RECIPIENTS, "case when sign_ups.confirmed_at is not null then 'confirmed' end", "null"],
    [LINK_TEST, "someone who confirms before a confirmation is sent gets no mail that they didn't ask for"],
  ],
  "A paused message isn't sent": [
    [CHOOSE_MAILS, "where state = 'sending' and kind", "where state in ('sending', 'paused') and kind"],
    [IN_FLIGHT_TEST, "a pause stops it until it is resumed, and canceling stops it for good"],
  ],
  "A canceled message can't be resumed": [
    [STATES, 'resume: { from: ["paused"]', 'resume: { from: ["paused", "canceled"]'],
    BY_STATES,
  ],
  "A message isn't started before its audience is complete": [
    [STATES, "(prepared_at is not null or ${action} <> 'start')", "true"],
    BY_STATES,
  ],
  "An audience can't change once people are in it": [
    [MESSAGES, "(preparing_since is null or ${changes.audience === undefined})", "true"],
    [MESSAGES_TEST, "keeps its audience once that is being prepared, while its text can still be edited"],
  ],
  "Only an invitation can be limited to the next people": [
    [MESSAGES, 'audience.next !== undefined && kind !== "invitation"', "false"],
    [MESSAGES_TEST, "isn't saved with an announcement to the next people"],
  ],
  "A message to nobody isn't started": [
    ["console/api/message-actions.ts", ".recipients === 0", ".recipients < 0"],
    [CONSOLE_TEST, "to send a message to nobody"],
  ],
  "A draft with an unknown filter is refused": [
    ["console/api/audience-fields.ts", "audienceSchema = z.strictObject(", "audienceSchema = z.object("],
    [CONSOLE_TEST, "a draft with an unknown filter"],
  ],
  "An address gets three confirmations, ever": [
    [RECIPIENTS, "MAX_CONFIRMATIONS = 3", "MAX_CONFIRMATIONS = 4"],
    [LINK_TEST, "an unconfirmed person gets the confirmation mail, three in all"],
  ],
  "Signing up again sends nothing to someone who has confirmed": [
    [FLAG_MAIL, "and confirmed_at is null and rejected_at is null", "and rejected_at is null"],
    [FAIRNESS_TEST, "signing up again sends another email after a day, three in all, and none once confirmed"],
  ],
  "A mailbox gets three of these emails in 30 days, whatever the spelling of its address": [
    ["core/mail/mailboxes.ts", "coalesce(mailboxes.mailed_at[3]", "coalesce(mailboxes.mailed_at[4]"],
    [
      FAIRNESS_TEST,
      "one mailbox gets three mails in 30 days, however many of its addresses are signed up, and the next after that",
    ],
  ],
  "Someone who unsubscribes gets no confirmation any more": [
    [FLAG_MAIL, "if (numAffectedRows) await fillMailbox(db, person.email_key);", ""],
    [FAIRNESS_TEST, "someone who unsubscribes gets no mail at the other addresses of their mailbox"],
  ],
  "Signing up again sends nothing to someone who has unsubscribed": [
    [FLAG_MAIL, "      copies = ${MAX_CONFIRMATIONS},\n", "      copies = kept.copies,\n"],
    [FAIRNESS_TEST, "someone who unsubscribed gets no confirmation by signing up again, however much later"],
  ],
  "Networks take turns, so that nobody waits for the emails that another has caused": [
    [
      DUE,
      "with recursive turns as (${turnsAfter(last)}) select network, id from turns limit",
      "select mail_network as network, id from sign_ups where mail_due order by id limit",
    ],
    [FAIRNESS_TEST, "a person's mail doesn't wait for the hundreds that another network has caused"],
  ],
  "The network of a sign-up is forgotten once its email is queued": [
    [DUE, "set mail_due = false, mail_network = 0", "set mail_due = false"],
    [FAIRNESS_TEST, "which network a sign-up came from is forgotten as soon as its mail is sent"],
  ],
  "A link is sent once a day": [
    [FLAG_MAIL, "interval '24 hours'", "interval '0 hours'"],
    [LINK_TEST, "a confirmed person gets a mail with their link, once a day"],
  ],
  "A fifth of the emails per minute is kept for confirmations": [
    [CHOOSE_MAILS, "(perMinute * 4) / 5", "perMinute"],
    [IN_FLIGHT_TEST, "a fifth of the mails per minute is kept for confirmations"],
  ],
  "Invitations are sent before announcements": [
    [CHOOSE_MAILS, "order by kind = 'announcement'", "order by kind = 'invitation'"],
    [IN_FLIGHT_TEST, "confirmations are sent before invitations, and those before announcements"],
  ],
  "A message keeps its pace": [
    [CHOOSE_MAILS, "limit least(message.allowed, ${max})", "limit ${max}"],
    [IN_FLIGHT_TEST, "a message's pace is kept by several workers together"],
  ],
  "A surge of sign-ups holds confirmations back": [
    ["server/routes/waitlist.ts", "if (isMailed) holdMail(db)", "if (!isMailed) holdMail(db)"],
    [
      "tests/integration/surge.test.ts",
      "a surge refuses nobody, raises the metric and a log line, and holds confirmation mail back",
    ],
  ],
  "A full mailbox is tried again": [
    [SENDER, "if (MAILBOX_FULL.test(response)) return undefined;", ""],
    [SENDER_TEST, "is retried if the mailbox is full, or isn't about the email: RCPT TO 552 5.2.2 Mailbox full"],
  ],
  "A relay that refuses us rejects nobody's address": [
    [SENDER, " && !OUR_FAULT.test(response)", ""],
    [SENDER_TEST, "fails the email and keeps the address if something else is: RCPT TO 550 relay not permitted"],
  ],
  "Credentials go to a mail server only encrypted": [
    [SENDER, 'username !== "" && !isLoopback(hostname)', "false"],
    [SENDER_TEST, "credentials need TLS unless the server is on this machine: smtp://user:secret@mail.example.com"],
  ],
  "A refused mailbox marks the address as rejected": [
    [DELIVERIES, "update sign_ups set rejected_at = now()", "update sign_ups set rejected_at = rejected_at"],
    [MAIL_TEST, "flags the address as rejected, with no dead letter, when its mailbox is refused"],
  ],
  "An email is tried for two days": [
    [DELIVERIES, "first_tried_at < now() - interval '2 days'", "first_tried_at < now() - interval '0 days'"],
    [MAIL_TEST, "gives up after two days and keeps the email, which can be retried"],
  ],
  "A mail server's error names nobody": [
    [SENDER, "throw new MailServerFailure(`", "throw new MailServerFailure(`${mail.to} `+`"],
    [MAIL_TEST, "retries after a temporary failure, and reports an error without the address"],
  ],
  "A retry has the Message-ID of the first try": [
    ["core/mail/rendering/compose.ts", "hmac(messageIds,", "hmac({ ...messageIds, secret: String(Math.random()) },"],
    [
      IN_FLIGHT_TEST,
      "an email whose worker was killed is sent when its lease ends, with the same Message-ID, and only then",
    ],
  ],
};
