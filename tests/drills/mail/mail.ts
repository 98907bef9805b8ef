import type { Database } from "#core/database/connect.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import type { Change } from "#tests/drills/harness/change-source.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { executeOn } from "#tests/drills/harness/execute.ts";
import { until } from "#tests/drills/harness/until.ts";
import { fill } from "#tests/support/fill.ts";
import { sendNews } from "#tests/support/messages.ts";
import { MAX_IN_FLIGHT } from "#worker/start.ts";
import { startTwoWorkers } from "./two-workers.ts";

const SIZES = {
  short: { people: 1000, kills: 4, awayMs: 2000 },
  full: { people: 13_000, kills: 20, awayMs: 120_000 },
};
const SIGN_UPS_PER_KILL = 20;
/** An email that failed during the outage is retried after a delay as long as the outage. */
const MAX_WAIT_MS = 5 * 60_000;

const RECORD_LATE: Change[] = [
  ["worker/start.ts", "MAX_IN_FLIGHT = 5", "MAX_IN_FLIGHT = 50"],
  ["worker/start.ts", "    const deadline =", "    await pause(2000);\n    const deadline ="],
];

/** Two workers send invitations to half of the list, news to subscribers, and confirmations to new sign-ups. */
export const killWorkers: Drill = {
  breaks: "mail workers killed, the mail server gone for a while",
  shows: "everyone gets their mail once, except for mails in flight",
  run: (context) => sendWave(context),
  controls: [
    {
      without: "a record of each mail",
      finds: "duplicated",
      changes: RECORD_LATE,
      run: (context) => sendWave(context, RECORD_LATE),
    },
  ],
};

async function sendWave(context: Context, changes?: Change[]): Promise<Outcome> {
  const { size, check } = context;
  const { people, kills, awayMs } = SIZES[size];
  const prepare = async (db: Database) => {
    await recordConsentWording(db);
    await writeToEveryone(db, people);
  };
  const { url, db, sink, workers, start, takeAway } = await startTwoWorkers(context, prepare, changes);
  async function stopWorkers(): Promise<void> {
    const codes = await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    check(codes.join() === "0,0", `the workers exited with ${codes}`);
  }

  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = (people / 2) * (kill / (kills + 1));
    await until(`${enough} mails`, () => sink.count().ids.size >= enough, MAX_WAIT_MS);
    await signUp(db, kill);
    await workers.shift()?.kill();
    workers.push(await start());
    if (kill === kills / 2) await takeAway(awayMs);
  }
  // Emails in flight at a kill are sent when their lease ends. Once nothing else is due, this ends the leases early.
  const inAMinute = "now() + interval '1 minute'";
  await until("only leases are left", async () => (await countDue(db, inAMinute)) === 0, MAX_WAIT_MS);
  await stopWorkers();
  await db.pool.query("update deliveries set next_try_at = now() where state = 'pending'");
  workers.push(await start(), await start());
  await until("nothing is due", async () => (await countDue(db, "'infinity'")) === 0, MAX_WAIT_MS);
  await stopWorkers();

  const mailed = sink.count();
  const [{ deliveries = 0 } = {}] = await executeOn<{ deliveries: number }>(
    url,
    "select count(*)::integer as deliveries from deliveries",
  );
  check(mailed.ids.size <= deliveries, "a copy had another Message-ID");
  // Dropping both workers' connections counts as two kills.
  const allowed = (kills + 2) * MAX_IN_FLIGHT;
  return {
    acknowledged: deliveries,
    lost: deliveries - mailed.ids.size,
    duplicated: Math.max(0, mailed.copies - allowed),
    figures: { kills, copies: mailed.copies, allowed },
  };
}

/** Sends an invitation to half of the list, and an announcement to subscribers. */
async function writeToEveryone(db: Database, people: number): Promise<void> {
  await fill(db, people);
  await db.pool.query("update sign_ups set confirmed_at = now()");
  await sendNews(db, { kind: "invitation", audience: { next: people / 2 } });
  await sendNews(db);
}

async function signUp(db: Database, kill: number): Promise<void> {
  await db.pool.query(
    `insert into sign_ups (email_key, email, first_name, last_name, newsletter, mail_network)
    select address, address, 'Ada', 'Lovelace', false, 0
    from generate_series(1, $1::integer) as number, format('c%s.%s@example.com', $2::integer, number) as address`,
    [SIGN_UPS_PER_KILL, kill],
  );
}

/** The number of emails due before this time. */
async function countDue(db: Database, before: string): Promise<number> {
  const { rows } = await db.pool.query(`
    select (select count(*) from sign_ups where mail_network is not null)
      + (select count(*) from deliveries where state = 'pending' and coalesce(next_try_at, now()) < ${before}) as due`);
  return Number(rows[0].due);
}
