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
  let minute = 0;
  return {
    sent,
    minute: () => minute,
    join: (email, network = 1) => join(aSignUp({ email }), null, { network }),
    askForLink: (email, network = 1) => requestLink(db, emailKey(email) ?? "", network),
    async pass(minutes) {
      if (minutes > 0) await passMinutes(db, minutes);
      minute += minutes;
      for (let isIdle = false; !isIdle; ) {
        const claimed = await claimMails(1000);
        await Promise.all(claimed.mails.map((mail) => recordOutcome(db, mail, "sent")));
        sent.push(...claimed.mails.map(({ email, kind }) => ({ email, kind, minute })));
        isIdle = claimed.isIdle;
      }
    },
  };
}
