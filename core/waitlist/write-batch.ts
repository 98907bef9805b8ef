import { columnDefinitions } from "#core/database/columns.ts";
import type { NewSignUp } from "#core/database/tables.ts";
import type { Executor } from "#core/database/transaction.ts";
import { flagForResend } from "#core/mail/outbox.ts";
import { PERSON_TYPES } from "./person-columns.ts";
import { readTotals, type Totals } from "./totals.ts";

export type WriteOutcome =
  | { kind: "joined"; totals: Totals }
  | { kind: "already-joined" }
  /** Whether this one is a repeat could not be asked any more. */
  | { kind: "unknown"; reason: unknown };

/** What the statement reads and writes, with the types: by name, so that no order of columns matters. */
const COLUMNS: Record<keyof NewSignUp, string> = {
  ...PERSON_TYPES,
  company_key: "text",
  idempotency_key: "uuid",
  utm: "jsonb",
};
const NAMES = Object.keys(COLUMNS).join(", ");

/**
 * One statement, so one round trip and one commit. The unique index decides who is new, never a SELECT before. Keys are
 * sorted, so that two batches meet the same keys in the same order and can't wait for each other in a circle.
 */
const WRITE = {
  name: "write-batch",
  text: `
    with arriving as materialized (
      select ${NAMES} from json_to_recordset($1) as sign_up (${columnDefinitions(COLUMNS)})
    ), joined as (
      insert into sign_ups (${NAMES}, mail_due)
      select ${NAMES}, $3::boolean from arriving order by email_key
      on conflict (email_key) do nothing
      returning id, email_key, company_key, newsletter
    ), agreed as (
      insert into consents (sign_up_id, wording_version, given)
      select id, $2, true from joined where newsletter
    ), by_company as (
      select company_key as key, count(*)::integer as arrived from joined where company_key is not null group by 1
    ), counted as (
      insert into companies as company (key, sign_ups)
      select key, arrived from by_company order by key
      on conflict (key) do update set sign_ups = company.sign_ups + excluded.sign_ups
      returning key, sign_ups
    ), gained as (
      select
        (select count(*) from joined) as users,
        -- A company is new when nobody but those of this batch is in it.
        (select count(*) from counted join by_company using (key) where sign_ups = arrived) as companies
    ), tallied as (
      update totals set users = totals.users + gained.users, companies = totals.companies + gained.companies
      from gained
      -- Each connection has a slot, nearly always its own; where two share one, the second waits for the first's commit.
      -- Choosing a free one by "for update skip locked" lost counts: the choice is made anew when the row has changed.
      where slot = totals_slot() and gained.users > 0
    )
    select
      sum(totals.users) + min(gained.users) as users,
      sum(totals.companies) + min(gained.companies) as companies,
      (select json_agg(email_key) from arriving where email_key not in (select email_key from joined)) as refused
    from totals, gained`,
};

/** In a statement of its own: a row that another transaction has just committed is invisible to the one it refused. */
const RECOGNISE = {
  name: "recognise-repeats",
  text: `
    select place::integer
    from unnest($1::text[], $2::uuid[]) with ordinality as repeat (email_key, idempotency_key, place)
    join sign_ups using (email_key, idempotency_key)
    where joined_at > now() - interval '24 hours'`,
};

export interface Terms {
  /** The words that those who want news agree to. */
  wordingVersion: number;
  /** Whether they are written to. */
  isMailed: boolean;
}

/**
 * Puts all of them on the list that are not yet on it, and returns an outcome for each. `onFault` hears of what failed
 * after they were written, where nobody who waits is concerned.
 */
export async function writeBatch(
  db: Executor,
  terms: Terms,
  signUps: NewSignUp[],
  onFault: (reason: unknown) => void,
): Promise<WriteOutcome[]> {
  // Of several with the same address in one batch, the first to arrive is the one to be written.
  const firsts = new Map<string, NewSignUp>();
  for (const signUp of signUps) if (!firsts.has(signUp.email_key)) firsts.set(signUp.email_key, signUp);

  const { totals, refused } = await insertNew(db, terms, [...firsts.values()]);
  const isNew = (signUp: NewSignUp) => firsts.get(signUp.email_key) === signUp && !refused.has(signUp.email_key);
  const repeats = await answerRepeats(
    db,
    signUps.filter((signUp) => signUp.idempotency_key && !isNew(signUp)),
  );
  // A flag that isn't set is a mail that can be asked for again: no reason to fail a batch that is written.
  if (terms.isMailed && refused.size > 0) await flagForResend(db, [...refused]).catch(onFault);
  return signUps.map((signUp) =>
    isNew(signUp) ? { kind: "joined", totals } : (repeats.get(signUp) ?? { kind: "already-joined" }),
  );
}

async function insertNew(db: Executor, { wordingVersion, isMailed }: Terms, signUps: NewSignUp[]) {
  const values = [JSON.stringify(signUps), wordingVersion, isMailed];
  const { rows } = await db.query<{ users: string; companies: string; refused: string[] | null }>({ ...WRITE, values });
  const [row] = rows;
  if (!row) throw new Error("A batch returned nothing");
  return {
    totals: { totalUsers: Number(row.users), companiesInterested: Number(row.companies) },
    refused: new Set(row.refused),
  };
}

/**
 * Finds those that are the same form, sent again because its first answer got lost. Never throws: the batch is committed,
 * and what fails here is no concern of those who are new.
 */
async function answerRepeats(db: Executor, losers: NewSignUp[]): Promise<Map<NewSignUp, WriteOutcome>> {
  if (losers.length === 0) return new Map();
  const values = [losers.map(({ email_key }) => email_key), losers.map(({ idempotency_key }) => idempotency_key)];
  try {
    const { rows } = await db.query<{ place: number }>({ ...RECOGNISE, values });
    if (rows.length === 0) return new Map();
    // Read anew: their row may have been committed after the batch had begun.
    const totals = await readTotals(db);
    const places = new Set(rows.map(({ place }) => place));
    const repeats = losers.filter((_, index) => places.has(index + 1));
    return new Map(repeats.map((repeat) => [repeat, { kind: "joined", totals }]));
  } catch (reason) {
    return new Map(losers.map((loser) => [loser, { kind: "unknown", reason }]));
  }
}
