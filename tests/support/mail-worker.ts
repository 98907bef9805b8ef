import { generateKeyPairSync } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { readConfig } from "#core/config/config.ts";
import { createKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { createMailQueue } from "#core/mail/queue/choose-mails.ts";
import { type ClaimedDelivery, type Outcome, recordOutcome } from "#core/mail/queue/deliveries.ts";
import { readMailStatus } from "#core/mail/queue/status.ts";
import { CONFIRMATION } from "#core/mail/recipients.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import type { Service } from "#core/service/run-service.ts";
import { createApp } from "#server/app.ts";
import { unlimited } from "#tools/dev/unlimited.ts";
import { startMailWorker } from "#worker/start.ts";
import { emptyWaitlist } from "./empty-waitlist.ts";
import { MAIL_ON, switchMail } from "./mail-on.ts";
import { type ScratchSmtp, startScratchSmtp } from "./scratch-smtp.ts";
import { aSignUp } from "./sign-ups.ts";
import { useTestDatabase } from "./test-database.ts";

export const SECRET = "a secret of at least 32 characters";
export const ORIGIN = "https://farwatch.example";
/** Settings that give invitations a link. */
export const INVITE = {
  INVITE_URL: "https://app.farwatch.example/join",
  INVITE_KEYS: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};

export interface MailTest {
  url: string;
  db: Database;
  app: FastifyInstance;
  /** New for each test. */
  smtp: ScratchSmtp;
  /** The settings of a server that sends mail. */
  settings(): Record<string, string>;
  /** Errors that the workers reported. */
  faults: string[];
  /** Starts another worker, which is stopped after the test. */
  startWorker(env?: Record<string, string>): Promise<void>;
  stopWorkers(): Promise<void>;
  /** Claims due emails and records this outcome, like a worker, but sends nothing. */
  deliver(outcome?: Outcome): Promise<ClaimedDelivery[]>;
  join(signUp?: ReturnType<typeof aSignUp>, remoteAddress?: string): Promise<{ statusCode: number }>;
  /** The only person on the list. */
  row(): ReturnType<typeof readRow>;
  /** Deliveries of confirmations, in the order people joined. */
  confirmations(): ReturnType<typeof readConfirmations>;
  /** The number of confirmations and links that are waiting, and of emails that failed for good. */
  queue(): Promise<{ waiting: number; dead: number }>;
  /** Moves the timestamps of emails, confirmations, rejections and unsubscriptions this far into the past. */
  pass(interval: string): Promise<void>;
  arrived(mails: number): Promise<void>;
}

const readRow = (db: Database) => db.selectFrom("sign_ups").selectAll().executeTakeFirstOrThrow();
const readConfirmations = (db: Database) =>
  db.selectFrom("deliveries").selectAll().where("message_id", "=", CONFIRMATION).orderBy("sign_up_id").execute();

/** For a whole test file: an app with mail on. Each test gets an empty list, an empty queue and a new SMTP server. */
export function useMail(): MailTest {
  const workers: Service[] = [];
  const mail: MailTest = Object.assign(useTestDatabase(), {} as Pick<MailTest, "app" | "smtp">, {
    faults: [] as string[],
    settings: () => ({ DATABASE_URL: mail.url, SMTP_URL: mail.smtp.url, SECRET, PUBLIC_ORIGIN: ORIGIN }),
    async startWorker(env = {}) {
      const config = readConfig({ ...mail.settings(), ...env }).mail;
      if (!config) throw new Error("Mail is off");
      workers.push(startMailWorker(config, mail.db, (reason) => mail.faults.push(String(reason))));
    },
    async stopWorkers() {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
    async deliver(outcome: Outcome = "sent") {
      const { mails } = await createMailQueue(mail.db, 100_000)(1000);
      for (const claimed of mails) await recordOutcome(mail.db, claimed, outcome);
      return mails;
    },
    join: async (payload = aSignUp(), remoteAddress = "127.0.0.1") =>
      mail.app.inject({ method: "POST", url: WAITLIST_PATH, payload, remoteAddress }),
    row: () => readRow(mail.db),
    confirmations: () => readConfirmations(mail.db),
    async queue() {
      const { waiting, dead } = await readMailStatus(mail.db);
      return { waiting, dead };
    },
    async pass(interval: string) {
      await mail.db.pool.query(
        `with confirmed as (
          update sign_ups set confirmed_at = confirmed_at - $1::interval, suppressed_at = suppressed_at - $1::interval
        ), mailboxes as (
          update mailboxes set unsubscribed_at = unsubscribed_at - $1::interval,
            mailed_at = array(select at - $1::interval from unnest(mailed_at) as at order by at desc)
        )
        update deliveries set first_tried_at = first_tried_at - $1::interval, tried_at = tried_at - $1::interval,
          next_try_at = next_try_at - $1::interval,
          mailed_at = array(select at - $1::interval from unnest(mailed_at) as at order by at desc)`,
        [interval],
      );
    },
    arrived: (mails: number) => expect.poll(() => mail.smtp.mails.length, { timeout: 20_000 }).toBe(mails),
  });

  beforeAll(async () => {
    await recordConsentWording(mail.db);
    mail.app = await createApp({ db: mail.db, ...unlimited, keys: createKeys(SECRET), mail: MAIL_ON });
  });
  afterAll(() => mail.app.close());
  beforeEach(async () => {
    await emptyWaitlist(mail.db);
    await switchMail(mail.db, true);
    mail.smtp = await startScratchSmtp();
  });
  afterEach(async () => {
    await mail.stopWorkers();
    await mail.smtp.stop();
  });
  return mail;
}
