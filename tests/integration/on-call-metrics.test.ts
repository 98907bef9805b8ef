import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { RawNode } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { readMailStatus } from "#core/mail/queue/status.ts";
import { CONFIRMATION } from "#core/mail/recipients.ts";
import { watchOnCall } from "#core/on-call/on-call-metrics.ts";
import { recordSuccess, TASKS } from "#core/service/maintenance.ts";
import { createMetrics } from "#core/service/metrics.ts";
import { fill } from "#tests/support/fill.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

/** Returns a function that scrapes the on-call gauges, by name without the prefix. */
function watch(db: Database): () => Promise<Record<string, number>> {
  const metrics = createMetrics();
  watchOnCall(metrics, db);
  return async () => {
    const lines = (await metrics.registry.metrics()).matchAll(/^farwatch_((?:mail|last)_\w+) (\S+)$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value === "Nan" ? "NaN" : value)]));
  };
}
const readGauges = () => watch(context.db)();

/** Opens a separate connection, closed after the test. */
function open(url: string, timeoutMs: number): Database {
  const db = connect(url, { timeoutMs });
  onTestFinished(() => db.destroy());
  return db;
}

/** Adds deliveries of confirmations to the first people on the list. */
function addDeliveries(count: number, state: string, triedAt: string) {
  return context.db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, first_tried_at, next_try_at)
    select ${CONFIRMATION}, id, '${state}', ${triedAt}, now() + interval '20 days' from sign_ups
    where mail_network is null and id not in (select sign_up_id from deliveries) order by id limit ${count}`);
}

test("nothing is waiting or recorded on a new database, and each task sets its own timestamp", async () => {
  const mail =
    "waiting oldest_seconds stalled failing_seconds reached dead bounces_ratio complaints_ratio paused events_stopped".split(
      " ",
    );
  const names = [...mail.map((name) => `mail_${name}`), ...TASKS.map((task) => `last_${task}_timestamp_seconds`)];
  const recorded: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, 0]));
  expect(await readGauges()).toEqual(recorded);
  for (const task of TASKS) {
    recorded[`last_${task}_timestamp_seconds`] = (await recordSuccess(context.db, task)).getTime() / 1000;
    expect(await readGauges()).toEqual(recorded);
  }
});

test("counts due emails, retried ones and failed ones, not those for later, and knows the age of the oldest", async () => {
  await fill(context.db, 10);
  await context.db.pool.query(`
    update sign_ups set mail_network = 0, joined_at = now() - interval '1 minute'
    where id in (select id from sign_ups order by id limit 3)`);
  await addDeliveries(3, "pending", "now()");
  await addDeliveries(1, "pending", "null");
  await addDeliveries(2, "failed", "now()");
  await addDeliveries(1, "sent", "now()");
  // Signing up again long after joining doesn't count as waiting since joining.
  await context.db.pool.query(`
    update sign_ups set mail_network = 0, joined_at = now() - interval '90 days'
    where id in (select sign_up_id from deliveries where state = 'sent')`);
  await context.db.pool.query("update deliveries set sent_at = now() where state = 'sent'");
  const gauges = await readGauges();
  expect(gauges).toMatchObject({ mail_waiting: 7, mail_dead: 2, mail_reached: 1 });
  expect(gauges.mail_oldest_seconds).toBeGreaterThanOrEqual(60);
  expect(gauges.mail_oldest_seconds).toBeLessThan(120);
  await context.db.pool.query(
    "update deliveries set first_tried_at = now() - interval '1 hour' where state = 'pending'",
  );
  expect((await readGauges()).mail_oldest_seconds).toBeGreaterThanOrEqual(3600);
});

test("a scrape reads the list and the deliveries through indexes only", async () => {
  await fill(context.db, 20_000);
  await addDeliveries(10, "failed", "now()");
  await addDeliveries(20_000, "sent", "now()");
  await context.db.pool.query("vacuum analyze");
  const plans: string[] = [];
  // Returns plans instead of rows, so `readMailStatus` throws.
  const explaining = context.db.withPlugin({
    transformQuery: ({ node }) => {
      const [start, ...rest] = (node as RawNode).sqlFragments;
      return { ...(node as RawNode), sqlFragments: [`explain ${start}`, ...rest] };
    },
    transformResult: async ({ result }) => {
      plans.push(result.rows.map((row) => row["QUERY PLAN"]).join("\n"));
      return result;
    },
  });
  await readMailStatus(explaining).catch(() => {});
  expect(plans).toHaveLength(1);
  expect(plans[0]).not.toMatch(/Seq Scan on (sign_ups|deliveries)/);
});

test("while PostgreSQL hangs, a scrape takes less than three seconds, the next is instant, and both export NaN", async () => {
  const hung = createServer(() => {}).listen(0, "127.0.0.1");
  onTestFinished(() => void hung.close());
  await once(hung, "listening");
  const scrape = watch(open(`postgres://127.0.0.1:${(hung.address() as AddressInfo).port}/none`, 1200));
  // Fakes only the cache's clock; timeouts stay real.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  for (const maxMs of [3000, 500]) {
    const startedAt = Date.now();
    expect(Object.values(await scrape())).toEqual(Array(14).fill(Number.NaN));
    expect(Date.now() - startedAt).toBeLessThan(maxMs);
    vi.advanceTimersByTime(60_000);
  }
});

test("a count that times out doesn't open the circuit for sign-ups", async () => {
  const db = open(context.url, 300);
  await inTransaction(context.db.pool, async (client) => {
    await client.query("lock table sign_ups");
    expect(await watch(db)()).toMatchObject({ mail_waiting: Number.NaN });
  });
  expect(db.breaker.isUp()).toBe(true);
});
