import { sql } from "kysely";
import { expect, test } from "vitest";
import { createCatchUp } from "#core/rollups/catch-up.ts";
import { readOverview } from "#core/rollups/overview.ts";
import { rollUp } from "#core/rollups/roll-up.ts";
import { rollUpPeriodically } from "#core/rollups/roll-up-periodically.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { EXACT, useRollups } from "#tests/support/rollups.ts";

const { context, join, verify } = useRollups();

test("a process that is killed while it rolls up leaves nothing half counted", async () => {
  await join(50);
  const { db } = context;
  const killed = await db.transaction().execute(async (transaction) => {
    await sql`lock table company_names in exclusive mode`.execute(transaction);
    const rolling = rollUp(db).then(
      () => "survived",
      () => "killed",
    );
    await untilBlocked(db);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
    return { rolling };
  });
  expect(await killed.rolling).toBe("killed");
  expect(await verify()).toEqual(EXACT);
  expect(await rollUp(db)).toBe("done");
  expect(await verify()).toEqual(EXACT);
});

test("a server rolls up by itself, outlives a failure and ends when it is stopped", async () => {
  const errors: unknown[] = [];
  const server = rollUpPeriodically(context.db, (reason) => errors.push(reason), 20);
  await sql`alter table rollup_state rename to rollup_state_away`.execute(context.db);
  await expect.poll(() => errors).not.toEqual([]);
  await sql`alter table rollup_state_away rename to rollup_state`.execute(context.db);
  await join(30);
  const readDomains = () => context.db.selectFrom("mail_domains").select("people").execute();
  await expect.poll(readDomains).toEqual([{ people: 10 }, { people: 10 }, { people: 10 }]);
  await server.stop();
  await join(30);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await readDomains()).toHaveLength(3);
  expect((await readDomains())[0]).toEqual({ people: 10 });
});

test("says how many people aren't counted when it is far behind, and catches up in the background", async () => {
  await join(5001);
  const behind = await readOverview(context.db, "all");
  expect(behind).toMatchObject({ people: 5001, uncounted: 5001, confirmed: 0 });
  const catchUp = createCatchUp(context.db);
  catchUp.start();
  const uncounted = async () => (await readOverview(context.db, "all")).uncounted;
  await expect.poll(uncounted, { timeout: 20_000 }).toBe(0);
  await catchUp.stop();
  expect(await verify()).toEqual(EXACT);
});
