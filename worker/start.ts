import type { Kysely } from "kysely";
import type { PoolConfig } from "pg";
import { fromKysely, type JobWithMetadata, PgBoss } from "pg-boss";
import type { MailConfig } from "#core/config.ts";
import type { Database } from "#core/database/connect.ts";
import { DurableClient } from "#core/database/durable-client.ts";
import type { Tables } from "#core/database/tables.ts";
import { composeMail } from "#core/mail/compose.ts";
import { claim, type DueMail, markRejected } from "#core/mail/outbox.ts";
import { DEAD_LETTERS, JOBS_SCHEMA, QUEUE } from "#core/mail/queue.ts";
import { takeSendSlot } from "#core/mail/send-rate.ts";
import { openSender } from "#core/mail/sender.ts";
import type { Service } from "#core/service.ts";
import { sweepDue } from "./sweep.ts";

const PAUSE_MS = 500;
/** Well under the ten seconds after which a worker is presumed dead. */
const HEARTBEAT_MS = 4000;
/** How long to retry a mail after transient failures: once a minute, or less often with many pending. */
const MAX_RETRY_AGE_MS = 2 * 24 * 3_600_000;

/** The connections of pg-boss's own pool. */
export const MAX_JOB_CONNECTIONS = 4;

/** pg-boss hands its options to pg's pool. */
const POOL_OPTIONS = { Client: DurableClient } satisfies PoolConfig;

/** Sends due mail until stopped, and then finishes the mail in progress. Any number of workers may run concurrently. */
export async function startMailWorker(
  { smtpUrl, from, perMinute, origin, keys, dkim }: MailConfig,
  db: Database,
  databaseUrl: string,
  /** Called for errors other than an outage of the database. */
  onError: (reason: unknown) => void,
): Promise<Service> {
  const sender = openSender({ url: smtpUrl, from, dkim });
  const reportError = (reason: unknown) => {
    if (!db.breaker.report(reason)) onError(reason);
  };
  const boss = new PgBoss({
    connectionString: databaseUrl,
    ...POOL_OPTIONS,
    schema: JOBS_SCHEMA,
    max: MAX_JOB_CONNECTIONS,
    connectionTimeoutMillis: 10_000,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 3600,
    schedule: false,
    // The schema, its queues and their indexes belong to the role that runs `waitlist migrate`.
    migrate: false,
    reindex: false,
  });
  boss.on("error", reportError);
  await boss.start();

  let state: "working" | "stopping" = "working";
  const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  /** Repeats `step` until stopped, with a pause when there was nothing to do. */
  async function repeat(step: () => Promise<boolean>): Promise<void> {
    while (state === "working") {
      const didSomething = await step().catch(reportError);
      if (!didSomething) await pause();
    }
  }

  async function sendOne(mail: DueMail): Promise<"settled" | "refused" | "retry"> {
    while (!(await takeSendSlot(db, perMinute))) {
      if (state === "stopping") return "retry";
      await pause();
    }
    const person = await claim(db, mail);
    if (!person) return "settled";
    const sent = await sender.send(composeMail({ keys, origin }, mail, person));
    if (sent === "rejected") await markRejected(db, mail.signUpId);
    return sent === "refused" ? "refused" : "settled";
  }

  /** At-least-once delivery, one at a time: a kill leaves at most one sent mail unrecorded, which is sent again. */
  async function processNext(): Promise<boolean> {
    const [job] = await boss.fetch<DueMail>(QUEUE, { includeMetadata: true });
    if (!job) return false;
    // By job and attempt, not by job alone: if we were presumed dead, another worker has it by now.
    const heartbeat = setInterval(() => boss.touch(QUEUE, job).catch(reportError), HEARTBEAT_MS);
    const outcome = await sendOne(job.data).catch((reason) => {
      reportError(reason);
      return "retry" as const;
    });
    const isTooOld = Date.now() - job.createdOn.getTime() > MAX_RETRY_AGE_MS;
    if (outcome === "settled") await settleWithRetries(() => boss.complete(QUEUE, job));
    else if (outcome === "refused" || isTooOld) await settleWithRetries(() => deadLetter(job));
    else await settleWithRetries(() => boss.fail(QUEUE, job));
    clearInterval(heartbeat);
    return true;
  }

  /** Retries recording the outcome, because a sent mail that isn't recorded is sent again. */
  async function settleWithRetries(settle: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      try {
        await settle();
        return;
      } catch (reason) {
        reportError(reason);
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
    return (await sweepDue(db, perMinute, enqueue)) > 0;
  }
  const loops = Promise.all([repeat(sweep), repeat(processNext)]);

  return {
    async stop() {
      state = "stopping";
      await loops;
      await boss.stop({ graceful: true, timeout: 8000 });
      sender.close();
    },
  };
}
