import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { connect } from "#core/database/connect.ts";
import { missingMigrations } from "#core/database/migrate.ts";
import { up as addMessages } from "#core/database/migrations/0008-messages.ts";
import { up as addWaveIds } from "#core/database/migrations/0013-wave-ids.ts";
import { readMailStatus } from "#core/mail/status.ts";
import { createDatabase, dropDatabase } from "#tests/support/databases.ts";
import { runNode } from "#tests/support/run-node.ts";
import { migrateAll } from "#worker/migrate.ts";

let url: string;
beforeAll(async () => {
  url = await createDatabase(inject("templateUrl"));
});
afterAll(() => dropDatabase(url));

test("the server refuses to start on a schema older than its code and names the command to run", async () => {
  const { code, stderr } = await runNode("server/main.ts", { DATABASE_URL: url, PORT: "0" }, [], 30_000);
  expect(code).toBe(1);
  expect(stderr).toContain(
    "The schema is older than this server: 0001-waitlist, 0002-launch-spike, 0003-operators, 0004-mail, 0005-waves, 0006-mail-limits, 0007-erase-person, 0008-messages, 0009-maintenance-runs, 0010-activity, 0011-rollups, 0012-filter-statistics, 0013-wave-ids missing. Run: npm run migrate",
  );
}, 60_000);

test("two migrators started at the same time apply each migration once", async () => {
  const [one, two] = [connect(url), connect(url)];
  const results = await Promise.all([migrateAll(one), migrateAll(two)]);
  expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual([
    "0001-waitlist",
    "0002-launch-spike",
    "0003-operators",
    "0004-mail",
    "0005-waves",
    "0006-mail-limits",
    "0007-erase-person",
    "0008-messages",
    "0009-maintenance-runs",
    "0010-activity",
    "0011-rollups",
    "0012-filter-statistics",
    "0013-wave-ids",
  ]);
  expect(await missingMigrations(one)).toEqual([]);
  await Promise.all([one.destroy(), two.destroy()]);
});

test("waitlist migrate reports that an up-to-date schema has nothing to apply", async () => {
  const { code, stdout } = await runNode("cli/waitlist.ts", { DATABASE_URL: url }, ["migrate"]);
  expect(stdout).toContain("Nothing to apply");
  expect(code).toBe(0);
});

test("each migration commits on its own, so that sign-ups wait for none but the one that locks them out", async () => {
  const db = connect(url);
  const { rows } = await db.pool.query(
    "select count(*)::integer as applied, count(distinct xmin::text)::integer as commits from kysely_migration",
  );
  expect(rows[0].commits).toBe(rows[0].applied);
  await db.destroy();
});

test("the migration 0013-wave-ids gives ids to the waves that version 1.0.0 invited", async () => {
  const db = connect(url);
  await db.pool.query(`
    insert into sign_ups (email_key, email, first_name, last_name, newsletter, invited_at)
    values ('a', 'a', 'A', 'A', false, '2026-11-01 10:00'), ('b', 'b', 'B', 'B', false, '2026-11-01 10:00'),
      ('c', 'c', 'C', 'C', false, '2026-11-02 10:00'), ('d', 'd', 'D', 'D', false, null)`);
  await addWaveIds(db as unknown as Kysely<unknown>);
  const people = await db.selectFrom("sign_ups").select(["email", "wave_id"]).orderBy("email").execute();
  expect(people.map(({ wave_id }) => wave_id)).toEqual(["1", "1", "2", null]);
  await db.destroy();
});

test("the migration 0008-messages keeps who got how many confirmations and when", async () => {
  const db = connect(url);
  await db.pool.query(`
    drop table messages, deliveries, delivery_counts; drop function count_deliveries;
    alter table mail_minutes drop column bulk;
    delete from sign_ups;
    insert into sign_ups (email_key, email, first_name, last_name, newsletter, mails, last_mail_at, rejected_at, confirmed_at)
    values ('none', 'none', 'A', 'A', false, 0, null, null, null),
      ('twice', 'twice', 'A', 'A', false, 2, '2026-11-01 10:00Z', null, null),
      ('rejected', 'rejected', 'A', 'A', false, 1, '2026-11-02 10:00Z', '2026-11-02 10:00Z', null),
      ('unsubscribed', 'unsubscribed', 'A', 'A', false, 3, null, null, null),
      ('confirmed', 'confirmed', 'A', 'A', false, 1, '2026-11-03 10:00Z', null, now())`);
  await addMessages(db as unknown as Kysely<unknown>);
  const deliveries = await db
    .selectFrom("deliveries")
    .innerJoin("sign_ups", "sign_ups.id", "sign_up_id")
    .select(["email", "state", "reason", "copies", "sent_at"])
    .orderBy("sign_up_id")
    .execute();
  expect(deliveries).toEqual([
    { email: "twice", state: "sent", reason: null, copies: 2, sent_at: new Date("2026-11-01T10:00Z") },
    { email: "rejected", state: "rejected", reason: null, copies: 1, sent_at: null },
    { email: "unsubscribed", state: "skipped", reason: "unsubscribed", copies: 3, sent_at: null },
    { email: "confirmed", state: "sent", reason: null, copies: 1, sent_at: new Date("2026-11-03T10:00Z") },
  ]);
  expect(await readMailStatus(db)).toMatchObject({ mailed: 2, confirmed: 1, rejected: 1, waiting: 0 });
  await db.destroy();
});
