import { DURABLE } from "#core/database/durability.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { NewSignUp } from "#core/database/tables.ts";
import type { Executor } from "#core/database/transaction.ts";
import { columnDefinitions, PERSON_TYPES } from "#core/people/person-columns.ts";
import { readTotals, type Totals } from "#core/people/totals.ts";

export type WriteOutcome =
  | { kind: "joined"; totals: Totals }
  | { kind: "already-joined" }
  /** The idempotency key belongs to a sign-up with other content. */
  | { kind: "key-reused" }
  /** The sign-up is known, but what followed failed: telling a retry from a duplicate, or removing an import's mark. */
  | { kind: "unknown"; reason: unknown };

/** The statement's columns and their types, by name, so that the order of columns doesn't matter. */
const COLUMNS: Record<keyof NewSignUp, string> = {
  ...PERSON_TYPES,
  company_key: "text",
  idempotency_key: "uuid",
  utm: "jsonb",
  friend_of: "bigint",
  search_words: "tsvector",
  mail_network: "integer",
};
const NAMES = Object.keys(COLUMNS).join(", ");

/**
 * One statement takes one round trip and one commit. The unique index decides who is new, not an earlier SELECT. Keys
 * are sorted, so that concurrent batches lock them in the same order and can't deadlock. Companies are sorted by bytes,
 * because editing a person sorts them in JavaScript, and only byte order is the same there and in every database.
 */
const WRITE = {
  name: "write-batch",
  text: `
    with arriving as materialized (
      select ${NAMES} from json_to_recordset($1) as sign_up (${columnDefinitions(COLUMNS)})
    ), joined as (
      insert into sign_ups (${NAMES})
      select ${NAMES} from arriving order by email_key
      on conflict (email_key) do nothing
      returning id, email_key, company_key, newsletter
    ), agreed as (
      insert into consents (sign_up_id, wording_version, given)
      select id, $2, true from joined where newsletter
    ), by_company as (
      select company_key as key, count(*)::integer as arrived from joined where company_key is not null group by 1
    ), counted as (
      insert into companies as company (key, sign_ups)
      select key, arrived from by_company order by key collate "C"
      on conflict (key) do update set sign_ups = company.sign_ups + excluded.sign_ups
      returning key, sign_ups
    ), gained as (
      select
        (select count(*) from joined) as users,
        -- A company is new if all of its people are from this batch.
        (select count(*) from counted join by_company using (key) where sign_ups = arrived) as companies
    ), tallied as (
      update totals set users = totals.users + gained.users, companies = totals.companies + gained.companies
      from gained
      -- Each connection has a slot. If two share one, the second waits for the first's commit. Choosing a free slot
      -- with "for update skip locked" lost counts, because PostgreSQL chooses again if the row has changed.
      where slot = totals_slot() and gained.users > 0
    )
    select
      (sum(totals.users) + min(gained.users))::integer as "totalUsers",
      (sum(totals.companies) + min(gained.companies))::integer as "companiesInterested",
      (
        select case when count(*) = 0 then null when ${DURABLE} is not null then json_agg(email_key) end
        from arriving where email_key not in (select email_key from joined)
      ) as refused
    from totals, gained`,
};

/** A retry must match the sign-up in these columns; FIND_RETRIES also compares address and newsletter. */
const COMPARED = Object.keys(PERSON_TYPES).filter((name) => !["email_key", "email", "newsletter"].includes(name));

/**
 * A separate statement, because the insert can't see a row that another transaction has just committed. Also compares
 * confirmed members' data, although they may have changed it; otherwise, the response would reveal that they did.
 * Compares the newsletter with the consent that the sign-up wrote, because anyone with the mail can change the setting.
 */
const FIND_RETRIES = {
  name: "find-retries",
  text: `
    select ordinal::integer, ${DURABLE},
      ${COMPARED.map((column) => `sign_ups.${column} is not distinct from retry.${column}`).join(" and ")}
        and retry.newsletter = exists (select from consents where sign_up_id = id and at = joined_at) as "isSame"
    from json_to_recordset($1) as retry (ordinal integer, idempotency_key uuid, ${columnDefinitions(PERSON_TYPES)})
    join sign_ups using (email_key, idempotency_key)
    where joined_at > now() - interval '24 hours'`,
};

export interface BatchOptions {
  /** The wording that newsletter subscribers agree to. */
  wordingVersion: number;
  resend: Resend | undefined;
}

/** Flags repeated sign-ups for another mail. Passed only if mail is on; the insert then flags new people too. */
export type Resend = (db: Executor, again: Pick<NewSignUp, "email_key" | "mail_network">[]) => Promise<void>;

/** Puts everyone on the list who isn't on it yet, and returns an outcome for each. Knows people who are set aside. */
export async function writeBatch(db: Executor, options: BatchOptions, signUps: NewSignUp[]): Promise<WriteOutcome[]> {
  // If a batch has several sign-ups with the same address, the first one is written.
  const firsts = new Map<string, NewSignUp>();
  for (const signUp of signUps) if (!firsts.has(signUp.email_key)) firsts.set(signUp.email_key, signUp);

  const { totals, refused } = await insertNew(db, options, [...firsts.values()]);
  const isNew = (signUp: NewSignUp) => firsts.get(signUp.email_key) === signUp && !refused.has(signUp.email_key);
  const retries = await findRetries(
    db,
    signUps.filter((signUp) => signUp.idempotency_key && !isNew(signUp)),
  );
  const again = [...firsts.values()].filter(({ email_key }) => refused.has(email_key));
  if (again.length > 0) await options.resend?.(db, again);
  return signUps.map((signUp) =>
    isNew(signUp) ? { kind: "joined", totals } : (retries.get(signUp) ?? { kind: "already-joined" }),
  );
}

async function insertNew(db: Executor, { wordingVersion, resend }: BatchOptions, signUps: NewSignUp[]) {
  const arriving = resend ? signUps : signUps.map((signUp) => ({ ...signUp, mail_network: null }));
  const values = [JSON.stringify(arriving), wordingVersion];
  const written = await db.query<Totals & { refused: string[] | null }>({ ...WRITE, values });
  const { refused, ...totals } = onlyRow(written);
  return { totals, refused: new Set(refused) };
}

/**
 * Finds retries (same key, same content) and reused keys (same key, other content). Never throws: the batch is
 * committed, and an error here must not fail the new sign-ups.
 */
async function findRetries(db: Executor, duplicates: NewSignUp[]): Promise<Map<NewSignUp, WriteOutcome>> {
  if (duplicates.length === 0) return new Map();
  const values = [JSON.stringify(duplicates.map((duplicate, ordinal) => ({ ordinal, ...duplicate })))];
  try {
    const { rows } = await db.query<{ ordinal: number; isSame: boolean }>({ ...FIND_RETRIES, values });
    if (rows.length === 0) return new Map();
    // Read again, because the retried row may have been committed after the batch began.
    const totals = await readTotals(db);
    return new Map(
      rows.map(({ ordinal, isSame }) => [
        duplicates[ordinal] as NewSignUp,
        isSame ? { kind: "joined", totals } : { kind: "key-reused" },
      ]),
    );
  } catch (reason) {
    return new Map(duplicates.map((duplicate) => [duplicate, { kind: "unknown", reason }]));
  }
}
