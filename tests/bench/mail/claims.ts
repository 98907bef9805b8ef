import { createMailQueue } from "#core/mail/queue/choose-mails.ts";
import { quantile } from "#tests/support/quantile.ts";
import { withDatabase } from "./database.ts";

const NETWORKS = 50_000;
const CLAIMS = 200;
const PER_CLAIM = 5;

/**
 * The p95 in milliseconds of claiming five emails while this many people are due a confirmation. PostgreSQL's
 * statistics are older than these sign-ups, as they are right after a launch.
 */
export async function measureClaims(people: number): Promise<number> {
  return withDatabase(async (db) => {
    await db.pool.query("alter table sign_ups set (autovacuum_enabled = off)");
    const join = (prefix: string, count: number, isDue: boolean) =>
      db.pool.query(
        `insert into sign_ups (email_key, email, first_name, last_name, newsletter, mail_network)
        select address, address, 'Ada', 'Lovelace', false, case when $3 then number % ${NETWORKS} - 20000 end
        from generate_series(1, $2::integer) as number, format('%s%s@example.com', $1::text, number) as address`,
        [prefix, count, isDue],
      );
    await join("before", people / 10, false);
    await db.pool.query("vacuum analyze sign_ups");
    await join("due", people, true);
    const claimMails = createMailQueue(db, 1_000_000);
    const times: number[] = [];
    for (let claims = 0; claims < CLAIMS; claims += 1) {
      const startedAt = performance.now();
      const { mails } = await claimMails(PER_CLAIM);
      times.push(performance.now() - startedAt);
      if (mails.length !== PER_CLAIM) throw new Error(`Claimed ${mails.length} of ${PER_CLAIM}`);
    }
    return quantile(times, 0.95);
  });
}
