import type { Database } from "#core/database/connect.ts";
import { createMailQueue } from "#core/mail/choose-mails.ts";
import { recordOutcome } from "#core/mail/deliveries.ts";
import { requestLink } from "#core/mail/flag-mail.ts";
import { emailKey } from "#core/sign-ups/email-key.ts";
import { openWaitlist, type Waitlist } from "#core/sign-ups/join.ts";
import { passMinutes } from "./pass-time.ts";
import { aSignUp } from "./sign-ups.ts";

export interface MailCalendar {
  /** Every mail, and the minute it was sent in. */
  sent: { email: string; kind: string; minute: number }[];
  /** Addresses that their mail server rejects. */
  rejected: Set<string>;
  join(email: string, network?: number): ReturnType<Waitlist["join"]>;
  askForLink(email: string, network?: number): Promise<void>;
  /** Lets time pass, and then sends what is due. */
  pass(minutes: number): Promise<void>;
  minute(): number;
}

/** Sends mail without a mail server, in a time that passes when told to. */
export function createMailCalendar(db: Database): MailCalendar {
  const { join } = openWaitlist(db, { maxQueueLength: 1000, isMailed: true, totals: () => Promise.reject() });
  const claimMails = createMailQueue(db, 1_000_000);
  const sent: MailCalendar["sent"] = [];
  const rejected = new Set<string>();
  let minute = 0;
  return {
    sent,
    rejected,
    minute: () => minute,
    join: (email, network = 1) => join(aSignUp({ email }), null, { network }),
    askForLink: (email, network = 1) => requestLink(db, emailKey(email) ?? "", network),
    async pass(minutes) {
      if (minutes > 0) await passMinutes(db, minutes);
      minute += minutes;
      for (let isIdle = false; !isIdle; ) {
        const claimed = await claimMails(1000);
        for (const mail of claimed.mails) {
          const outcome = rejected.has(mail.email) ? "rejected" : "sent";
          await recordOutcome(db, mail, outcome);
          if (outcome === "sent") sent.push({ email: mail.email, kind: mail.kind, minute });
        }
        isIdle = claimed.isIdle;
      }
    },
  };
}
