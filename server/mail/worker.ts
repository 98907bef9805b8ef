import { type Kysely, sql } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";
import type { Database } from "#server/database/connect.ts";
import type { Tables } from "#server/database/tables.ts";
import { confirmationMail } from "./confirmation.ts";
import { DEAD_LETTERS, JOBS_SCHEMA, QUEUE } from "./queue.ts";
import type { Sender } from "./sender.ts";
import { type DueMail, sweepMarks } from "./sweep.ts";

export interface MailParts {
  db: Database;
  databaseUrl: string;
  sender: Sender;
  /** For all workers together. */
  perMinute: number;
  pageOf: (signUpId: string) => string;
  messageIdOf: (mail: DueMail) => string;
  onError: (reason: unknown) => void;
}

const PAUSE_MS = 500;
/** Well within the ten seconds after which a worker is taken for dead. */
const HEARTBEAT_MS = 4000;

/** Tried for two days, at least once a minute. A worker that dies is missed after ten seconds. */
const PATIENCE = {
  retryLimit: 2 * 24 * 60,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 3 * 24 * 3600,
  heartbeatSeconds: 10,
  expireInSeconds: 300,
  deleteAfterSeconds: 24 * 3600,
  deadLetter: DEAD_LETTERS,
};

/** Sends what is due, until it is stopped; what has begun is finished then. Any number may run at once. */
export async function startMailWorker(parts: MailParts): Promise<{ stop(): Promise<void> }> {
  const { db, databaseUrl, sender, perMinute, pageOf, messageIdOf, onError } = parts;
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: JOBS_SCHEMA,
    max: 4,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    schedule: false,
  });
  boss.on("error", onError);
  await boss.start();
  await boss.createQueue(DEAD_LETTERS);
  await boss.createQueue(QUEUE, PATIENCE);

  async function sendOne(mail: DueMail): Promise<void> {
    const person = await db
      .selectFrom("sign_ups")
      .select(["email", "confirmed_at"])
      .where("id", "=", mail.signUpId)
      .executeTakeFirst();
    // Erased since, or confirmed by an earlier mail.
    if (!person || person.confirmed_at) return;
    const message = confirmationMail({ to: person.email, page: pageOf(mail.signUpId), messageId: messageIdOf(mail) });
    if ((await sender.send(message)) === "rejected") {
      await db.updateTable("sign_ups").set({ rejected_at: sql<Date>`now()` }).where("id", "=", mail.signUpId).execute();
    }
  }

  let state: "working" | "stopping" = "working";
  /** Does it again and again until it is to stop, with a pause where there was nothing to do. */
  async function repeat(step: () => Promise<boolean>): Promise<void> {
    while (state === "working") {
      const didSomething = await step().catch(onError);
      if (!didSomething) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** One at a time: should we be killed, at most one mail is out that nobody knows of, and is sent again. */
  async function takeOne(): Promise<boolean> {
    const [job] = await boss.fetch<DueMail>(QUEUE);
    if (!job) return false;
    const beating = setInterval(() => boss.touch(QUEUE, job.id).catch(onError), HEARTBEAT_MS);
    try {
      await sendOne(job.data);
      await boss.complete(QUEUE, job.id);
    } catch (reason) {
      onError(reason);
      await boss.fail(QUEUE, job.id);
    } finally {
      clearInterval(beating);
    }
    return true;
  }

  async function sweep(): Promise<boolean> {
    const enqueue = (transaction: Kysely<Tables>, mails: DueMail[]) =>
      boss.insert(
        QUEUE,
        mails.map((data) => ({ data })),
        { db: fromKysely(transaction) },
      );
    return (await sweepMarks(db, perMinute, enqueue)) > 0;
  }
  const working = Promise.all([repeat(sweep), repeat(takeOne)]);

  return {
    async stop() {
      state = "stopping";
      await working;
      await boss.stop({ graceful: true, timeout: 8000 });
      sender.close();
    },
  };
}
