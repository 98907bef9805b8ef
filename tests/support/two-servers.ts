import { afterAll, beforeAll, beforeEach } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { readTotals } from "#core/people/totals.ts";
import { type Join, openWaitlist } from "#core/sign-ups/join.ts";
import { emptyWaitlist } from "./empty-waitlist.ts";
import { useTestDatabase } from "./test-database.ts";

interface TwoServers {
  context: { url: string; db: Database };
  join: Join;
  /** join() of a second server, with its own connections. */
  joinElsewhere: Join;
}

export const options = (db: Database) => ({ maxQueueLength: 100_000, totals: () => readTotals(db.pool) });

/** For a whole test file: join() of two servers on one database. The list is empty before each test. */
export function useTwoServers(): TwoServers {
  const context = useTestDatabase();
  let join: Join;
  let joinElsewhere: Join;
  let secondDb: Database;
  beforeAll(() => {
    join = openWaitlist(context.db, options(context.db)).join;
    secondDb = connect(context.url);
    joinElsewhere = openWaitlist(secondDb, options(secondDb)).join;
  });
  afterAll(() => secondDb.destroy());
  beforeEach(() => emptyWaitlist(context.db));
  return {
    context,
    join: (...signUp) => join(...signUp),
    joinElsewhere: (...signUp) => joinElsewhere(...signUp),
  };
}

export const kinds = async (outcomes: Promise<{ kind: string }>[]) =>
  (await Promise.all(outcomes)).map(({ kind }) => kind);
