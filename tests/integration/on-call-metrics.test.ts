import type { RawNode } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect } from "#core/database/connect.ts";
import { readMailStatus } from "#core/mail/status.ts";
import { CONFIRMATION } from "#core/messages/recipients.ts";
import { createMetrics } from "#core/service/metrics.ts";
import { watchOnCall } from "#core/service/on-call-metrics.ts";
import { useOperator, waitlist } from "#tests/support/cli.ts";
import { startFaultyProxy, throughProxy } from "#tests/support/faulty-proxy.ts";
import { fill } from "#tests/support/fill.ts";

const context = useOperator();

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

/** Deliveries of confirmations to the first people on the list. */
function addDeliveries(count: number, state: string, triedAt: string) {
  return context.db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, first_tried_at, next_try_at)
    select ${CONFIRMATION}, id, '${state}', ${triedAt}, now() + interval '20 days' from sign_ups
    where not mail_due and id not in (select sign_up_id from deliveries) order by id limit ${count}`);
}

test("nothing is waiting or recorded on a new database", async () => {
  expect(await readGauges()).toEqual({
    mail_waiting: 0,
    mail_oldest_seconds: 0,
    mail_dead: 0,
    last_backup_timestamp_seconds: 0,
    last_restore_timestamp_seconds: 0,
    last_verify_timestamp_seconds: 0,
  });
});

test("counts due emails, retried ones and failed ones, not those for later, and knows the age of the oldest", async () => {
  await fill(context.db, 9);
  await context.db.pool.query(`
    update sign_ups set mail_due = true, joined_at = now() - interval '1 minute'
    where id in (select id from sign_ups order by id limit 3)`);
  await addDeliveries(3, "pending", "now()");
  await addDeliveries(1, "pending", "null");
  await addDeliveries(2, "failed", "now()");
  expect(await readGauges()).toMatchObject({ mail_waiting: 6, mail_dead: 2 });
  expect((await readGauges()).mail_oldest_seconds).toBeGreaterThanOrEqual(60);
  expect((await readGauges()).mail_oldest_seconds).toBeLessThan(120);

  await context.db.pool.query(
    "update deliveries set first_tried_at = now() - interval '1 hour' where first_tried_at is not null",
  );
  expect((await readGauges()).mail_oldest_seconds).toBeGreaterThanOrEqual(3600);
});

test("someone who signs up again long after joining doesn't count as waiting since then", async () => {
  await fill(context.db, 1);
  await addDeliveries(1, "sent", "now()");
  await context.db.pool.query("update sign_ups set mail_due = true, joined_at = now() - interval '90 days'");
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

test("a scrape reads the list and the deliveries through indexes only", async () => {
  await fill(context.db, 20_000);
  await addDeliveries(10, "failed", "now()");
  await addDeliveries(20_000, "sent", "now()");
  await context.db.pool.query("vacuum analyze");
  const plans: string[] = [];
  // The rows don't matter, only the plan.
  const explaining = context.db.withPlugin({
    transformQuery: ({ node }) => {
      const statement = node as RawNode;
      return {
        ...statement,
        sqlFragments: [`explain ${statement.sqlFragments[0]}`, ...statement.sqlFragments.slice(1)],
      };
    },
    transformResult: async ({ result }) => {
      plans.push(result.rows.map((row) => row["QUERY PLAN"]).join("\n"));
      return result;
    },
  });
  await readMailStatus(explaining);
  expect(plans).toHaveLength(1);
  expect(plans[0]).not.toMatch(/Seq Scan on (sign_ups|deliveries)/);
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
