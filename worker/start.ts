import type { Kysely } from "kysely";
import { fromKysely, type JobWithMetadata, PgBoss } from "pg-boss";
import type { MailConfig } from "#core/config.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { confirmationMail } from "#core/mail/confirmation.ts";
import { messageId } from "#core/mail/message-id.ts";
import { claim, type DueMail, markRejected } from "#core/mail/outbox.ts";
import { DEAD_LETTERS, JOBS_SCHEMA, QUEUE } from "#core/mail/queue.ts";
import { takeSendSlot } from "#core/mail/send-rate.ts";
import { openSender } from "#core/mail/sender.ts";
import { memberLink } from "#core/members/links.ts";
import type { Service } from "#core/service.ts";
import { sweepDue } from "./sweep.ts";

const PAUSE_MS = 500;
/** Well within the ten seconds after which a worker is taken for dead. */
const HEARTBEAT_MS = 4000;
/** For this long a mail is tried that the mail server doesn't take for the moment, once a minute where few wait. */
const RETRY_FOR_MS = 2 * 24 * 3_600_000;
const A_YEAR_S = 365 * 24 * 3600;

const RETRY_POLICY = {
  // Given up by age: how often a mail is tried depends on how many wait with it.
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: A_YEAR_S,
  heartbeatSeconds: 10,
  expireInSeconds: 300,
  deleteAfterSeconds: 3600,
};

/** Sends what is due, until it is stopped; what has begun is finished then. Any number may run at once. */
export async function startMailWorker(
  { smtpUrl, from, perMinute, origin, keys, dkim }: MailConfig,
  db: Database,
  databaseUrl: string,
  onError: (reason: unknown) => void,
): Promise<Service> {
  const sender = openSender({ url: smtpUrl, from, dkim });
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: JOBS_SCHEMA,
    max: 4,
    connectionTimeoutMillis: 10_000,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 3600,
    schedule: false,
  });
  boss.on("error", onError);
  await boss.start();
  for (const [name, options] of Object.entries({
    [DEAD_LETTERS]: { retentionSeconds: A_YEAR_S },
    [QUEUE]: RETRY_POLICY,
  })) {
    await boss.createQueue(name, options);
    // A queue that an earlier version made would keep that one's.
    await boss.updateQueue(name, options);
  }

  let state: "working" | "stopping" = "working";
  const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  /** Does it again and again until it is to stop, with a pause where there was nothing to do. */
  async function repeat(step: () => Promise<boolean>): Promise<void> {
    while (state === "working") {
      const didSomething = await step().catch(onError);
      if (!didSomething) await pause();
    }
  }

  async function sendOne(mail: DueMail): Promise<"settled" | "refused" | "to be tried again"> {
    while (!(await takeSendSlot(db, perMinute))) {
      if (state === "stopping") return "to be tried again";
      await pause();
    }
    const person = await claim(db, mail);
    if (!person) return "settled";
    const sent = await sender.send(
      confirmationMail({
        to: person.email,
        page: memberLink(keys, person, origin),
        messageId: messageId(keys, mail, origin),
      }),
    );
    if (sent === "rejected") await markRejected(db, mail.signUpId);
    return sent === "refused" ? "refused" : "settled";
  }

  /** One at a time: should we be killed, at most one mail is out that nobody knows of, and is sent again. */
  async function processNext(): Promise<boolean> {
    const [job] = await boss.fetch<DueMail>(QUEUE, { includeMetadata: true });
    if (!job) return false;
    // By job and try, not by job alone: should we be taken for dead, it is another worker's by now.
    const beating = setInterval(() => boss.touch(QUEUE, job).catch(onError), HEARTBEAT_MS);
    const outcome = await sendOne(job.data).catch((reason) => {
      onError(reason);
      return "to be tried again" as const;
    });
    const isTooOld = Date.now() - job.createdOn.getTime() > RETRY_FOR_MS;
    if (outcome === "settled") await settleWithRetries(() => boss.complete(QUEUE, job));
    else if (outcome === "refused" || isTooOld) await settleWithRetries(() => deadLetter(job));
    else await settleWithRetries(() => boss.fail(QUEUE, job));
    clearInterval(beating);
    return true;
  }

  /** What came of a mail is worth more than one try: a mail that is out and not known to be is sent again. */
  async function settleWithRetries(settle: () => Promise<unknown>): Promise<void> {
    for (let tries = 1; tries <= 5; tries += 1) {
      try {
        await settle();
        return;
      } catch (reason) {
        onError(reason);
        await pause();
      }
    }
  }

  async function deadLetter(job: JobWithMetadata<DueMail>): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await boss.insert(DEAD_LETTERS, [{ data: job.data }], { db: fromKysely(transaction) });
      await boss.complete(QUEUE, job, null, { db: fromKysely(transaction) });
    });
  }

  async function sweep(): Promise<boolean> {
    const enqueue = (transaction: Kysely<Tables>, mails: DueMail[]) =>
      boss.insert(
        QUEUE,
        mails.map((data) => ({ data })),
        { db: fromKysely(transaction) },
      );
    return (await sweepDue(db, enqueue)) > 0;
  }
  const working = Promise.all([repeat(sweep), repeat(processNext)]);

  return {
    async stop() {
      state = "stopping";
      await working;
      await boss.stop({ graceful: true, timeout: 8000 });
      sender.close();
    },
  };
}
