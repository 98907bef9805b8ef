import { PgBoss } from "pg-boss";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { connect } from "#core/database/connect.ts";
import type { Executor } from "#core/database/transaction.ts";
import { readMailBacklog } from "#core/mail/backlog.ts";
import { DEAD_LETTERS, JOBS_SCHEMA, QUEUE } from "#core/mail/queue.ts";
import { readLastSuccesses } from "#core/maintenance.ts";
import { createMetrics } from "#core/metrics.ts";
import { watchOnCall } from "#core/on-call-metrics.ts";
import { useOperator, waitlist } from "#tests/support/cli.ts";
import { startFaultyProxy, throughProxy } from "#tests/support/faulty-proxy.ts";
import { fill } from "#tests/support/fill.ts";

const context = useOperator();

beforeEach(() => context.db.pool.query(`delete from ${JOBS_SCHEMA}.job`).catch(() => {}));

/** The gauges that are not about the process or sign-ups, by their names without the prefix. */
function parseGauges(text: string): Record<string, number> {
  const lines = text.matchAll(/^farwatch_((?:mail|last)_\w+) (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value === "Nan" ? "NaN" : value)]));
}

async function readGauges(): Promise<Record<string, number>> {
  const metrics = createMetrics();
  watchOnCall(metrics, context.db);
  return parseGauges(await metrics.registry.metrics());
}

/** Queues jobs as a mail worker does. */
async function queueJobs(counts: Record<string, number>): Promise<void> {
  const boss = new PgBoss({ connectionString: context.url, schema: JOBS_SCHEMA, supervise: false });
  await boss.start();
  for (const [name, count] of Object.entries(counts)) {
    await boss.createQueue(name);
    await boss.insert(
      name,
      Array.from({ length: count }, () => ({ data: {} })),
    );
  }
  await boss.stop();
}

test("nothing is waiting or recorded on a new database, before a mail worker has created its tables", async () => {
  expect(await readGauges()).toEqual({
    mail_waiting: 0,
    mail_oldest_seconds: 0,
    mail_dead: 0,
    last_backup_timestamp_seconds: 0,
    last_restore_timestamp_seconds: 0,
    last_verify_timestamp_seconds: 0,
  });
});

test("counts emails without a job, queued ones and dead letters, and knows the age of the oldest", async () => {
  await fill(context.db, 5);
  await context.db.pool.query(`
    update sign_ups set mail_due = true, joined_at = now() - interval '1 minute'
    where id in (select id from sign_ups order by id limit 3)`);
  await queueJobs({ [QUEUE]: 4, [DEAD_LETTERS]: 2 });
  expect(await readGauges()).toMatchObject({ mail_waiting: 7, mail_dead: 2 });
  expect((await readGauges()).mail_oldest_seconds).toBeGreaterThanOrEqual(60);
  expect((await readGauges()).mail_oldest_seconds).toBeLessThan(120);

  await context.db.pool.query(
    `update ${JOBS_SCHEMA}.job set created_on = now() - interval '1 hour', state = 'retry' where name = '${QUEUE}'`,
  );
  expect((await readGauges()).mail_oldest_seconds).toBeGreaterThanOrEqual(3600);
});

test("someone who signs up again long after joining doesn't count as waiting since then", async () => {
  await fill(context.db, 1);
  await context.db.pool.query("update sign_ups set mail_due = true, mails = 1, joined_at = now() - interval '90 days'");
  expect(await readGauges()).toMatchObject({ mail_waiting: 1, mail_oldest_seconds: 0 });
});

test.each(["backup", "restore", "verify"])("waitlist record %s sets its timestamp and no other", async (task) => {
  const startedAt = Math.floor(Date.now() / 1000);
  const { code, stdout } = await waitlist("record", task);
  expect(code).toBe(0);
  expect(stdout).toMatch(`Recorded ${task}: 20`);
  const { [`last_${task}_timestamp_seconds`]: recorded, ...others } = await readGauges();
  expect(recorded).toBeGreaterThanOrEqual(startedAt);
  expect(Object.values(others)).toEqual([0, 0, 0, 0, 0]);
});

test("waitlist record refuses an unknown task", async () => {
  expect(await waitlist("record", "lunch")).toMatchObject({ code: 2, stderr: expect.stringContaining("backup") });
});

test("a scrape reads the list and the jobs through indexes only", async () => {
  await fill(context.db, 20_000);
  await queueJobs({ [QUEUE]: 20_000, [DEAD_LETTERS]: 10 });
  await context.db.pool.query(`update ${JOBS_SCHEMA}.job set state = 'completed' where name = '${QUEUE}'`);
  await context.db.pool.query("vacuum analyze");
  const statements: string[] = [];
  const recording = {
    query(statement: string) {
      statements.push(statement);
      return context.db.pool.query(statement);
    },
  } as Executor;
  await readMailBacklog(recording);
  await readLastSuccesses(recording);
  expect(statements).toHaveLength(3);
  for (const statement of statements) {
    const { rows } = await context.db.pool.query(`explain ${statement}`);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).not.toMatch(/Seq Scan on (sign_ups|job)/);
  }
});

test("while PostgreSQL hangs, a scrape takes less than three seconds, the next none, and both have the last values", async () => {
  await waitlist("record", "backup");
  const proxy = await startFaultyProxy(Number(new URL(context.url).port));
  onTestFinished(proxy.stop);
  const db = connect(throughProxy(proxy, context.url), { timeoutMs: 1200 });
  const metrics = createMetrics();
  watchOnCall(metrics, db);
  // The cache's clock only: timeouts stay real.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  async function scrapeUncached() {
    vi.advanceTimersByTime(60_000);
    const startedAt = Date.now();
    const gauges = parseGauges(await metrics.registry.metrics());
    return { gauges, ms: Date.now() - startedAt };
  }
  const before = await scrapeUncached();
  expect(before.gauges.last_backup_timestamp_seconds).toBeGreaterThan(0);
  proxy.delayMs = 3_600_000;
  const [first, second] = [await scrapeUncached(), await scrapeUncached()];
  expect([first.gauges, second.gauges]).toEqual([before.gauges, before.gauges]);
  expect(first.ms).toBeGreaterThan(1000);
  expect(first.ms).toBeLessThan(3000);
  expect(second.ms).toBeLessThan(500);
  db.breaker.stop();
  proxy.dropConnections();
  await db.destroy();
});

test("a count that times out doesn't open the circuit for sign-ups", async () => {
  const db = connect(context.url, { timeoutMs: 300 });
  const metrics = createMetrics();
  watchOnCall(metrics, db);
  const holder = await context.db.pool.connect();
  await holder.query("begin");
  await holder.query("lock table sign_ups");
  expect(parseGauges(await metrics.registry.metrics())).toMatchObject({ mail_waiting: Number.NaN });
  expect(db.breaker.isUp()).toBe(true);
  await holder.query("rollback");
  holder.release();
  await db.destroy();
});

test("a server that has not read them yet exports NaN instead of failing the scrape", async () => {
  const db = connect("postgres://127.0.0.1:1/none", { timeoutMs: 1200 });
  const metrics = createMetrics();
  watchOnCall(metrics, db);
  expect(Object.values(parseGauges(await metrics.registry.metrics()))).toEqual(Array(6).fill(Number.NaN));
  await db.destroy();
});
