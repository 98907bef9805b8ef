import { sql } from "kysely";
import type { PoolClient } from "pg";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import { changeMany, MAX_CHUNK_SIZE } from "#core/activity/change-many.ts";
import { readInChunks } from "#core/database/chunks.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import { type Chunk, onePerson } from "#core/database/transaction.ts";
import { emailKey } from "#core/people/address.ts";
import { addressColumn } from "#core/people/address-column.ts";
import { recordConsentWording, repeatWithdrawals, withdrawNewsletters } from "#core/people/consent.ts";
import { isIn } from "#core/people/states.ts";
import { csvRow } from "#core/text/csv-row.ts";
import type { UnreadableCsv } from "#core/text/parse-csv.ts";
import { lastMails, reportMails } from "./reports.ts";

/** Bounced or complained: no mail at all. Complained or unsubscribed: no newsletter. Accepted: no longer suppressed. */
export const IMPORT_STATES = ["bounced", "complained", "unsubscribed", "accepted"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];
type Suppressed = "bounced" | "complained";

export interface ImportedSuppressions {
  addresses: number;
  onList: number;
  /** How many people on the list already were in this state. */
  already: number;
  notOnList: number;
  invalid: number;
  /** People whom the import changed: none in a dry run. */
  changed: number;
}

/** Suppressed by an operator. An import replaces a report's suppression, which may be undone or end after 30 days. */
const IS_SUPPRESSED = `${isIn("suppressed")} and not exists (
  select from deliveries
  where sign_up_id = sign_ups.id and suppressed_at in (tried_at, reported_at) and reported_by is distinct from 'import'
)`;

const IS_ALREADY: Record<ImportState, string> = {
  bounced: IS_SUPPRESSED,
  complained: `${IS_SUPPRESSED} and not newsletter`,
  unsubscribed: "not newsletter",
  accepted: `${isIn("suppressed", false)}`,
};

/**
 * Suppresses everyone on the list whose address is in the CSV file, or lifts their suppression. The whole file goes into
 * a temporary table first, so that an unreadable file changes nothing, and memory use stays constant.
 */
export async function importSuppressions(
  db: Database,
  actor: Actor,
  file: AsyncIterable<string>,
  state: ImportState,
  { isDryRun = false } = {},
): Promise<ImportedSuppressions | UnreadableCsv> {
  const client = await db.pool.connect();
  try {
    await client.query("create temporary table imported (email_key text primary key)");
    const invalid = await loadAddresses(client, file);
    if (typeof invalid === "object") return invalid;
    const counted = await client.query<Omit<ImportedSuppressions, "invalid" | "changed">>(`
      select
        count(*)::integer as addresses,
        count(id)::integer as "onList",
        count(id) filter (where ${IS_ALREADY[state]})::integer as already,
        count(*) filter (where id is null)::integer as "notOnList"
      from imported left join sign_ups using (email_key)`);
    const changed = isDryRun ? 0 : await changeImported(db, actor, client, state);
    return { ...onlyRow(counted), invalid, changed };
  } finally {
    // Closing the connection drops the temporary table.
    client.release(true);
  }
}

/** Returns the number of rows without an address. */
async function loadAddresses(client: PoolClient, file: AsyncIterable<string>): Promise<number | UnreadableCsv> {
  let invalid = 0;
  let keys: string[] = [];
  const flush = async () => {
    await client.query("insert into imported select unnest($1::text[]) on conflict do nothing", [keys]);
    keys = [];
  };
  for await (const address of addressColumn(file)) {
    if (typeof address === "object") return address;
    const key = address === undefined ? undefined : emailKey(address);
    if (key === undefined) invalid += 1;
    else if (keys.push(key) === MAX_CHUNK_SIZE) await flush();
  }
  await flush();
  await client.query("analyze imported");
  return invalid;
}

async function changeImported(db: Database, actor: Actor, client: PoolClient, state: ImportState): Promise<number> {
  await recordConsentWording(db);
  const { rows } = await client.query<{ id: string }>(
    "select id from sign_ups join imported using (email_key) order by id",
  );
  const people = rows.map(({ id }) => id);
  return changeMany(db, { actor, action: "import suppressions" }, [people], async (chunk, ids) => ({
    count: await CHANGES[state](chunk, ids),
  }));
}

const CHANGES: Record<ImportState, (chunk: Chunk, ids: string[]) => Promise<number>> = {
  bounced: (chunk, ids) => report(chunk, ids, "bounced"),
  complained: (chunk, ids) => report(chunk, ids, "complained"),
  async unsubscribed(chunk, ids) {
    await repeatWithdrawals(chunk, ids);
    return withdrawNewsletters(chunk, ids);
  },
  async accepted(chunk, ids) {
    const { numAffectedRows } = await sql`
      update sign_ups set suppressed_at = null where id = any(${ids}::bigint[]) and ${isIn("suppressed")}`.execute(
      chunk,
    );
    return Number(numAffectedRows);
  },
};

/** Stops all mail to one person. Only they can undo this, by confirming the address on their page. */
export async function suppressPerson(db: Database, actor: Actor, id: string): Promise<void> {
  await recordConsentWording(db);
  await db.transaction().execute(async (transaction) => {
    const chunk = onePerson(transaction);
    await suppress(chunk, [id], "bounced");
    await CHANGES.unsubscribed(chunk, [id]);
    await recordActivity(transaction, actor, { action: "stop mail", person: id });
  });
}

/** Suppresses people and cancels their due mail. Returns how many changed. */
async function suppress(chunk: Chunk, ids: string[], state: Suppressed): Promise<number> {
  const { numAffectedRows } = await sql`
    update sign_ups set suppressed_at = now(), mail_network = null
    where id = any(${ids}::bigint[]) and not (${sql.raw(IS_ALREADY[state])})`.execute(chunk);
  return Number(numAffectedRows);
}

/** Applies the report to each person's last mail, and also suppresses people who got none. */
async function report(chunk: Chunk, ids: string[], state: Suppressed): Promise<number> {
  const affected = await suppress(chunk, ids, state);
  const kind = state === "bounced" ? "bounce" : "complaint";
  if (kind === "complaint") await repeatWithdrawals(chunk, ids);
  await reportMails(chunk, kind, "import", lastMails(sql`select unnest(${ids}::bigint[])`));
  if (kind === "complaint") await withdrawNewsletters(chunk, ids);
  return affected;
}

const SUPPRESSED = sql`
  select email, 'suppressed' as reason, suppressed_at as time from sign_ups where ${isIn("suppressed")}
  union all
  select email, 'unsubscribed', max(at)
  from sign_ups join consents on sign_up_id = id where not newsletter and not given group by id`;

/**
 * Streams everyone who is suppressed, as CSV. Someone who is both suppressed and unsubscribed appears twice. `onRows`
 * gets the number of rows in each chunk.
 */
export async function* suppressionsFile(db: Database, actor: Actor, onRows: (rows: number) => void) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer from (${SUPPRESSED}) as suppressed`.execute(db);
  await recordActivity(db, actor, { action: "export suppressions", count: rows[0]?.count });
  yield "email,reason,time\n";
  const oldestFirst = sql<{ email: string; reason: string; time: Date }>`${SUPPRESSED} order by time, email`;
  for await (const chunk of readInChunks(db, oldestFirst)) {
    yield chunk.map(({ email, reason, time }) => csvRow([email, reason, time])).join("");
    onRows(chunk.length);
  }
}
