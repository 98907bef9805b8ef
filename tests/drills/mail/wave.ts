import { setTimeout as pause } from "node:timers/promises";
import { createKeys } from "#core/config/keys.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { retryFailed } from "#core/mail/deliveries.ts";
import { setNewsletter } from "#core/members/member.ts";
import { prepareMessage } from "#core/messages/audience.ts";
import { pauseMessage, resumeMessage, startMessage } from "#core/messages/message-states.ts";
import { createMessage, listMessages } from "#core/messages/messages.ts";
import { addressHash, erase } from "#core/retention/erase.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Audit, claimedBetween, countMails, databaseTime, type Leaver, recordClaims } from "./audit.ts";
import { type Arrival, isUnknown } from "./faulty-smtp.ts";
import { startWorkers, type Workers } from "./workers.ts";

const SECRET = "an example secret of 32 characters";
/** At each step one person leaves, one unsubscribes, and some sign up. */
const STEPS = 50;
const SIGN_UPS_PER_STEP = 4;
const PAUSE_MS = 4000;
const MAX_DELIVERY_MS = 20_000;
const MAX_STALL_MS = 4 * 60_000;

export interface WaveOptions {
  people: number;
  kills: number;
  smtpUrl: string;
  arrivals(): Promise<Arrival[]>;
  /** Takes the mail server away for a while. */
  interrupt(): Promise<void>;
  /** A module that removes a safeguard from the workers. */
  control?: string;
}

export interface Outcome extends Audit {
  /** What else went wrong, one message per failed check. */
  failures: string[];
}

/** Invites one half of the list and writes to the other half, while everything happens that can. */
export async function runWave({ people, kills, smtpUrl, arrivals, interrupt, control }: WaveOptions): Promise<Outcome> {
  const postgres = await startScratchPostgres();
  const db = connect(postgres.url);
  const failures: string[] = [];
  let workers: Workers | undefined;
  try {
    await migrateAll(db);
    await recordConsentWording(db);
    await recordClaims(db);
    const expected = await addPeople(db, people);
    await startMessages(db, people / 2);
    const env = { DATABASE_URL: postgres.url, SMTP_URL: smtpUrl, SECRET, PUBLIC_ORIGIN: "https://farwatch.example" };
    workers = await startWorkers({ ...env, MAIL_PER_MINUTE: "60000" }, control);

    const leavers: Leaver[] = [];
    let killed = 0;
    for (let step = 1; step <= STEPS; step += 1) {
      await untilArrived((people * step) / (STEPS + 2), arrivals);
      expected.push(...(await signUp(db, step)));
      leavers.push(...(await leaveAndUnsubscribe(db, leavers)));
      for (; killed < (step / STEPS) * kills; killed += 1) await workers.killNext();
      if (step === Math.ceil(STEPS / 3)) await interrupt();
      if (step === Math.ceil((STEPS * 2) / 3)) {
        const claimed = await pauseAndResume(db);
        if (claimed > 0) failures.push(`${claimed} mails were claimed during a pause`);
      }
    }
    if (leavers.length < 2 * STEPS) failures.push(`only ${leavers.length} people left or unsubscribed`);
    await untilFinished(db, arrivals);
    await retryFailed(db, OPERATOR);
    await untilFinished(db, arrivals);
    if (!(await workers.stop())) failures.push("a worker didn't exit with 0");

    await untilDelivered(expected.length - leavers.length, arrivals);
    const all = await arrivals();
    const ids = new Set(all.map(({ to, messageId }) => `${to} ${messageId}`));
    if (ids.size !== new Set(all.map(({ to }) => to)).size) failures.push("a copy had another Message-ID");
    return { ...(await countMails(db, { arrivals: all, expected, leavers, kills: killed })), failures };
  } finally {
    await workers?.stop();
    await db.destroy();
    await postgres.stop();
  }
}

/** The first half hasn't subscribed and is invited, the second half has. Returns the addresses that exist. */
async function addPeople(db: Database, people: number): Promise<string[]> {
  const { rows } = await db.pool.query(
    `insert into sign_ups (email_key, email, first_name, last_name, newsletter, confirmed_at)
    select address, address, 'Ada', 'Lovelace', number > $1::integer / 2, now()
    from generate_series(1, $1::integer) as number, format('p%s@example.com', number) as address
    returning email`,
    [people],
  );
  await db.pool.query("update totals set users = $1 where slot = 0", [people]);
  return rows.map(({ email }) => email).filter((email) => !isUnknown(email));
}

async function startMessages(db: Database, invitations: number): Promise<void> {
  for (const draft of [
    { kind: "invitation", audience: { next: invitations } },
    { kind: "announcement", audience: {} },
  ] as const) {
    const { id } = await createMessage(db, OPERATOR, {
      ...draft,
      subject: "News",
      body: "Hi {{firstName}}",
      pace: null,
    });
    await prepareMessage(db, OPERATOR, id);
    await startMessage(db, OPERATOR, id);
  }
}

/** As signing up does, a few people at a time. Returns the addresses that exist. */
async function signUp(db: Database, step: number): Promise<string[]> {
  const { rows } = await db.pool.query(
    `insert into sign_ups (email_key, email, first_name, last_name, newsletter, mail_due)
    select address, address, 'Ada', 'Lovelace', false, true
    from generate_series($1::integer * $2, ($1 + 1) * $2 - 1) as number, format('c%s@example.com', number) as address
    returning email`,
    [step, SIGN_UPS_PER_STEP],
  );
  return rows.map(({ email }) => email).filter((email) => !isUnknown(email));
}

/** One person leaves and another unsubscribes. Their mail is pending, most likely one that is tried again. */
async function leaveAndUnsubscribe(db: Database, earlier: Leaver[]): Promise<Leaver[]> {
  const { rows } = await db.pool.query(
    `select id, email, newsletter from sign_ups join deliveries on sign_up_id = id
    where state = 'pending' and confirmed_at is not null and id <> all($1)
    order by next_try_at is null, random()`,
    [earlier.map(({ id }) => id)],
  );
  const unsubscribes = rows.find(({ newsletter }) => newsletter);
  const leaves = rows.find((person) => person !== unsubscribes);
  if (unsubscribes) await setNewsletter(db, null, unsubscribes.id, false);
  if (leaves) await erase(db, null, leaves.email, addressHash(createKeys(SECRET), leaves.email));
  const leftAt = await databaseTime(db);
  return [leaves, unsubscribes].filter(Boolean).map(({ id, email }) => ({ id, email, leftAt }));
}

/** Returns how many mails were claimed in between. */
async function pauseAndResume(db: Database): Promise<number> {
  const paused: string[] = [];
  for (const { id } of await listMessages(db, 10)) {
    // Refused if it is done by now.
    await pauseMessage(db, OPERATOR, id).then(
      () => paused.push(id),
      () => {},
    );
  }
  const pausedAt = await databaseTime(db);
  await pause(PAUSE_MS);
  const resumedAt = await databaseTime(db);
  for (const id of paused) await resumeMessage(db, OPERATOR, id);
  return claimedBetween(db, pausedAt, resumedAt);
}

const untilArrived = (count: number, arrivals: WaveOptions["arrivals"]) =>
  untilOrStalled(async () => (await arrivals()).length >= count, arrivals);

/** Also until the leases of killed workers have ended, which is when copies are sent. */
const untilFinished = (db: Database, arrivals: WaveOptions["arrivals"]) =>
  untilOrStalled(async () => {
    const { rowCount } = await db.pool.query(`
      select from sign_ups where mail_due
      union all select from deliveries where state = 'pending'
      union all select from messages where state = 'sending' and id > 2
      limit 1`);
    return rowCount === 0;
  }, arrivals);

/** A mail server may accept a mail a while before it is in the maildir. */
async function untilDelivered(count: number, arrivals: WaveOptions["arrivals"]): Promise<void> {
  const deadline = performance.now() + MAX_DELIVERY_MS;
  while ((await arrivals()).length < count && performance.now() < deadline) await pause(100);
  await pause(1000);
}

async function untilOrStalled(isReached: () => Promise<boolean>, arrivals: WaveOptions["arrivals"]): Promise<void> {
  let [arrived, since] = [-1, performance.now()];
  while (!(await isReached())) {
    const { length } = await arrivals();
    if (length !== arrived) [arrived, since] = [length, performance.now()];
    if (performance.now() - since > MAX_STALL_MS) return;
    await pause(100);
  }
}
