import type { Kysely } from "kysely";
import type { PoolConfig } from "pg";
import { fromKysely, type JobResult, PgBoss } from "pg-boss";
import type { MailConfig } from "#core/config.ts";
import type { Database } from "#core/database/connect.ts";
import { DurableClient } from "#core/database/durable-client.ts";
import type { Tables } from "#core/database/tables.ts";
import type { LinkOptions } from "#core/mail/compose.ts";
import type { Delivery } from "#core/mail/deliveries.ts";
import type { Fed } from "#core/mail/feed.ts";
import { JOBS_SCHEMA, QUEUES } from "#core/mail/queue.ts";
import { openSender } from "#core/mail/sender.ts";
import { inviteUrlWith } from "#core/members/invitations.ts";
import type { Service } from "#core/service.ts";
import { type DeliverOptions, deliver } from "./deliver.ts";
import { createPipeline } from "./pipeline.ts";
import { restoreError } from "./restore-error.ts";
import { sweep } from "./sweep.ts";

const POLL_SECONDS = 0.5;
/** While one job's mail is sent, the job before it is completed and the next one fetched. */
const JOBS_PER_QUEUE = 3;
/** The connections of pg-boss's own pool. */
export const MAX_JOB_CONNECTIONS = 4;

/** pg-boss hands its options to pg's pool. */
const POOL_OPTIONS = { Client: DurableClient } satisfies PoolConfig;

/**
 * Sends pending mail until stopped, and then finishes the mails in progress: one confirmation and one other at a time,
 * so that a kill leaves at most one of each unrecorded, which is sent again. Any number of workers may run.
 */
export async function startMailWorker(
  { smtpUrl, from, perMinute, origin, keys, dkim, invitations }: MailConfig,
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
    maintenanceIntervalSeconds: 60,
    schedule: false,
    // The schema, its queues and their indexes belong to the role that runs `waitlist migrate`.
    migrate: false,
    reindex: false,
  });
  boss.on("error", (copy) => reportError(restoreError(copy)));
  await boss.start();

  const stopping = new AbortController();
  const links: LinkOptions = { keys, origin, inviteUrl: inviteUrlWith(invitations) };
  const workers: string[] = [];
  const fetchNext = () => {
    for (const id of workers) boss.notifyWorker(id);
  };

  async function work(queue: string, options: DeliverOptions): Promise<void> {
    const workerId: string = await boss.work<
      Delivery,
      JobResult[],
      { perJobResults: true; pollingIntervalSeconds: number }
    >(queue, { perJobResults: true, pollingIntervalSeconds: POLL_SECONDS }, async (jobs) => {
      const results: JobResult[] = [];
      for (const { id, data, signal } of jobs) {
        const outcome = await deliver(data, AbortSignal.any([signal, stopping.signal]), options);
        results.push({ id, status: outcome === "settled" ? "completed" : "failed" });
      }
      // Without this, work() would wait out its polling interval after every mail: batches of one never count as full.
      boss.notifyWorker(workerId);
      return results;
    });
    workers.push(workerId);
  }
  for (const queue of Object.values(QUEUES)) {
    const options = { db, sender, links, perMinute, pipeline: createPipeline(), reportError };
    for (let job = 0; job < JOBS_PER_QUEUE; job += 1) await work(queue, options);
  }

  const toJobs = (mails: Delivery[], priority = 0) => mails.map((data) => ({ data, priority }));
  async function enqueue(transaction: Kysely<Tables>, mails: Fed): Promise<void> {
    const inTransaction = { db: fromKysely(transaction) };
    // By priority, because jobs of one transaction are as old as each other.
    const bulk = [...toJobs(mails.invitations, 1), ...toJobs(mails.announcements)];
    if (mails.confirmations.length) await boss.insert(QUEUES.confirmations, toJobs(mails.confirmations), inTransaction);
    if (bulk.length) await boss.insert(QUEUES.bulk, bulk, inTransaction);
  }

  async function sweepUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      const queued = await sweep(db, perMinute, enqueue).catch(reportError);
      if (queued) fetchNext();
      else await new Promise((resolve) => setTimeout(resolve, POLL_SECONDS * 1000));
    }
  }
  const swept = sweepUntilStopped();

  return {
    async stop() {
      stopping.abort();
      await swept;
      await boss.stop({ graceful: true, timeout: 30_000 });
      sender.close();
    },
  };
}
