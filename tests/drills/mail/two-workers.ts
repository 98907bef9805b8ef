import { setTimeout as pause } from "node:timers/promises";
import { connect, type Database } from "#core/database/connect.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { type Change, withChanges } from "#tests/drills/harness/change-source.ts";
import type { Context } from "#tests/drills/harness/drill.ts";
import { startMailSink } from "#tests/drills/harness/mail-sink.ts";
import { startWorker } from "#tests/drills/harness/worker.ts";
import { startFaultyProxy } from "#tests/support/faulty-proxy.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

/** A port on which nothing listens. */
const NO_PORT = 1;

/** Starts two mail workers on a list that `prepare` fills, with a proxy in front of the mail server. */
export async function startTwoWorkers<T>({ keep }: Context, prepare: (db: Database) => Promise<T>, changes?: Change[]) {
  const { url } = await keep(startScratchPostgres());
  const db = connect(url);
  await keep({ stop: () => db.destroy() });
  await migrateAll(db);
  const prepared = await prepare(db);
  const sink = await keep(startMailSink());
  const smtpPort = Number(new URL(sink.url).port);
  const network = await keep(startFaultyProxy(smtpPort));
  const env = {
    DATABASE_URL: url,
    SMTP_URL: `smtp://127.0.0.1:${network.port}`,
    SECRET: "an example secret of 32 characters",
    PUBLIC_ORIGIN: "https://farwatch.example",
    MAIL_PER_MINUTE: "60000",
  };
  const start = () => keep(startWorker(withChanges(env, changes)));
  /** Makes the mail server unreachable for a time, and drops its connections. */
  async function takeAway(forMs: number): Promise<void> {
    network.target = NO_PORT;
    network.dropConnections();
    await pause(forMs);
    network.target = smtpPort;
  }
  return { url, db, prepared, sink, network, start, workers: [await start(), await start()], takeAway };
}
