import { expect, onTestFinished, test } from "vitest";
import { readMail } from "#core/mail/switch.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { post } from "#tests/support/post.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
const SETTINGS = { SECRET: "a secret of at least 32 characters", PUBLIC_ORIGIN: "https://farwatch.example" };

test("claiming mail for longer than a sign-up's timeout rejects no sign-ups, and the mail is sent", async () => {
  const smtp = await startScratchSmtp();
  onTestFinished(smtp.stop);
  const server = await startServer({ DATABASE_URL: context.url, SMTP_URL: smtp.url, ...SETTINGS });
  onTestFinished(server.stop);
  await inTransaction(context.db.pool, async (client) => {
    // Sign-ups only read deliveries, so they don't wait for the lock; the claim does.
    await client.query("lock table deliveries in exclusive mode");
    expect((await post(server.origin)).status).toBe(201);
    const blocked = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '4 seconds'`;
    await expect.poll(async () => (await context.db.pool.query(blocked)).rowCount, { timeout: 20_000 }).toBe(1);
    expect((await post(server.origin)).status).toBe(201);
  });
  await expect.poll(() => smtp.mails.length, { timeout: 10_000 }).toBe(2);
  expect(server.log()).not.toContain("Database outage");
});

test("a server says in the database whether it sends mail, and the last one to start decides", async () => {
  const start = async (settings: Record<string, string>) => {
    const server = await startServer({ DATABASE_URL: context.url, ...settings });
    onTestFinished(server.stop);
  };
  await start({ ...SETTINGS, SMTP_URL: "smtp://127.0.0.1:1", MAIL_WORKER: "apart" });
  expect(await readMail(context.db)).toBeDefined();
  await start(SETTINGS);
  expect(await readMail(context.db)).toBeUndefined();
});
