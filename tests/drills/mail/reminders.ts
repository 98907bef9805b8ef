import type { Database } from "#core/database/connect.ts";
import { stopConfirmations } from "#core/mail/queue/flag-mail.ts";
import { CONFIRMATION, REMINDER } from "#core/mail/recipients.ts";
import type { Change } from "#tests/drills/harness/change-source.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { until } from "#tests/drills/harness/until.ts";
import { changeMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { fill } from "#tests/support/fill.ts";
import { MAX_IN_FLIGHT } from "#worker/start.ts";
import { startTwoWorkers } from "./two-workers.ts";

const SIZES = { short: { people: 1000, kills: 4 }, full: { people: 8000, kills: 20 } };
/** The number of people who, at each kill, unsubscribe before they get their reminder. */
const UNSUBSCRIBE = 10;
const MAX_WAIT_MS = 5 * 60_000;
const AWAY_MS = 5000;

const QUEUE = "core/mail/queue/deliveries.ts";
const SHORT_LEASE: Change[] = [[QUEUE, "kind = 'reminder' or refusal", "refusal"]];
const RETRY_UNKNOWN: Change[] = [[QUEUE, '"unknown" && messageId !== REMINDER', '"unknown"']];

/** Two workers remind the four fifths of the list who joined long enough ago. */
export const killReminders: Drill = {
  breaks: "mail workers killed and their connections dropped while they send reminders",
  shows: "nobody is reminded twice, too early or after an unsubscribe",
  run: (context) => remind(context),
  controls: [
    {
      without: "a lease that never ends",
      finds: "duplicated",
      changes: SHORT_LEASE,
      run: (context) => remind(context, SHORT_LEASE),
    },
    {
      without: "telling unknown outcomes from failures",
      finds: "duplicated",
      changes: RETRY_UNKNOWN,
      run: (context) => remind(context, RETRY_UNKNOWN),
    },
  ],
};

async function remind(context: Context, changes?: Change[]): Promise<Outcome> {
  const { size, check } = context;
  const { people, kills } = SIZES[size];
  const prepare = (db: Database) => addUnconfirmed(db, people);
  const started = await startTwoWorkers(context, prepare, changes);
  const { db, prepared: due, sink, network, workers, start, takeAway } = started;
  await changeMessage(db, OPERATOR, REMINDER, "resume");

  const unsubscribed: string[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = (due * 0.8 * kill) / (kills + 1);
    await until(`${enough} reminders`, () => sink.recipients.length >= enough, MAX_WAIT_MS);
    unsubscribed.push(...(await unsubscribeLast(db)));
    await workers.shift()?.kill();
    workers.push(await start());
    // Drops connections at each kill, because only some drops fall between an email and its reply.
    network.dropConnections();
    if (kill === kills / 2) await takeAway(AWAY_MS);
  }
  const countPending = (condition = "true") =>
    db.pool
      .query(`select from deliveries where message_id = 0 and state = 'pending' and ${condition}`)
      .then(({ rows }) => rows.length);
  const inAMinute = "coalesce(next_try_at, now()) < now() + interval '1 minute'";
  await until("only leases are left", async () => (await countPending(inAMinute)) === 0, MAX_WAIT_MS);
  // Pretends that ten minutes have passed since killed workers claimed these reminders.
  await db.pool.query(`
    update deliveries set tried_at = tried_at - interval '10 minutes', next_try_at = next_try_at - interval '10 minutes'
    where message_id = 0 and state = 'pending'`);
  await until("nothing is pending", async () => (await countPending()) === 0, MAX_WAIT_MS);
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));

  const { rows } = await db.pool.query<{ email: string; reason: string | null; isDue: boolean }>(`
    select email, reason, joined_at < now() - interval '3 days' as "isDue"
    from sign_ups left join deliveries on sign_up_id = id and message_id = 0`);
  const reminded = new Set(sink.recipients);
  const isUnsubscribed = new Set(unsubscribed);
  const missed = rows.filter(
    ({ email, reason, isDue }) => isDue && !reminded.has(email) && !reason && !isUnsubscribed.has(email),
  );
  const interrupted = rows.filter(({ reason }) => reason === "interrupted");
  const wrong = rows.filter(({ email, isDue }) => reminded.has(email) && (!isDue || isUnsubscribed.has(email)));
  // Each kill interrupts one worker's emails; each drop of connections interrupts both workers'.
  check(interrupted.length <= (3 * kills + 2) * MAX_IN_FLIGHT, `${interrupted.length} reminders were interrupted`);
  return {
    acknowledged: due,
    lost: missed.length,
    duplicated: sink.recipients.length - reminded.size + wrong.length,
    figures: {
      kills,
      reminded: reminded.size,
      unsubscribed: unsubscribed.length,
      interrupted: interrupted.length,
      ofThemReceived: interrupted.filter(({ email }) => reminded.has(email)).length,
    },
  };
}

/** Returns how many people are due a reminder. */
async function addUnconfirmed(db: Database, people: number): Promise<number> {
  await fill(db, people);
  const { rowCount } = await db.pool.query(`
    update sign_ups set joined_at = now() - interval '4 days' where id <= (select max(id) * 4 / 5 from sign_ups)`);
  await db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, tried_at, sent_at)
    select ${CONFIRMATION}, id, 'sent', now() - interval '1 day', now() - interval '1 day' from sign_ups`);
  return rowCount ?? 0;
}

/** Unsubscribes the queue's last people, as their confirmation's link does. Returns their addresses. */
async function unsubscribeLast(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query(
    `select sign_ups.id, email, email_key from sign_ups join deliveries on sign_up_id = id and message_id = 1
    where reason is null and joined_at < now() - interval '3 days' order by id desc limit $1`,
    [UNSUBSCRIBE],
  );
  for (const person of rows) await stopConfirmations(db, person);
  return rows.map(({ email }) => email);
}
