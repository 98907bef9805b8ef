import { sql } from "kysely";
import { signUpSchema } from "#contract/sign-up.ts";
import { type Actor, recordActivity, recordInParts } from "#core/activity/activity.ts";
import type { ErasureKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { NewSignUp } from "#core/database/tables.ts";
import { executor, retryTransaction } from "#core/database/transaction.ts";
import { resendFor } from "#core/mail/queue/flag-mail.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { COLUMN_NAME, cleanCell } from "#core/people/address-column.ts";
import { originOfImport } from "#core/people/origin.ts";
import { derivedColumns, personColumns } from "#core/people/person-columns.ts";
import { type Question, readQuestions } from "#core/people/questions.ts";
import { hasWithdrawn, isIn } from "#core/people/states.ts";
import { deleteSignUps } from "#core/retention/delete-sign-ups.ts";
import { addressHash } from "#core/retention/erase.ts";
import { readErasures } from "#core/retention/erasures.ts";
import { writeBatch } from "#core/sign-ups/write-batch.ts";
import { csvRows } from "#core/text/parse-csv.ts";
import { type Answers, answerColumn, readAnswerCells, writeAnswers } from "./answer-columns.ts";

type Finding = "new" | "known" | "invalid" | "unsubscribed" | "rejected" | "erased before";

/** A row of the file. The text is its address, or what is wrong with it. */
export interface ImportRow {
  row: number;
  finding: Finding;
  text: string;
  signUp?: NewSignUp;
  answers?: Answers;
}

const COLUMNS = {
  email: COLUMN_NAME,
  firstName: /^(first|given)[ _-]?name$/i,
  lastName: /^(last|family|sur)[ _-]?name$/i,
  name: /^(full[ _-]?)?name$/i,
  company: /^(company|organi[sz]ation)([ _-]?name)?$/i,
};

const CHUNK_SIZE = 1000;

/** Recognizes UTF-16 by its byte order mark. What isn't UTF-8 is Latin-1, from an old spreadsheet. */
export function decodeText(bytes: Buffer): string {
  const encoding = { fffe: "utf-16le", feff: "utf-16be" }[bytes.toString("hex", 0, 2)];
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  const text = bytes.toString();
  return text.includes("\uFFFD") ? new TextDecoder("windows-1252").decode(bytes) : text;
}

/** Says what an import would do with each row. The form's rules apply, and nobody who is known here is changed. */
export async function previewImport(db: Database, keys: ErasureKeys, text: string, source: string) {
  const questions = await readQuestions(db);
  const found: ImportRow[] = [];
  let columns: ReturnType<typeof findColumns> | undefined;
  for await (const cells of csvRows([text])) {
    if ("unreadable" in cells) return cells;
    const fields = columns?.map(({ name, index }) => [name, cleanCell(cells[index] ?? "")]);
    if (fields) found.push(readRow(Object.fromEntries(fields), questions, source, found.length + 2));
    else columns = findColumns(cells, questions);
    if (!columns) return { unreadable: "its first row has no column named email" };
  }

  const erased = new Set((await readErasures(db)).map(({ hash }) => hash.toString("hex")));
  const { rows } = await sql<{ email_key: string; finding: Finding }>`
    select email_key, case
      when ${isIn("suppressed")} then 'rejected'
      when ${hasWithdrawn} or exists (select from deliveries where sign_up_id = id and reason = 'unsubscribed') then 'unsubscribed'
      else 'known' end as finding
    from sign_ups where email_key = any(${found.map(({ signUp }) => signUp?.email_key)})`.execute(db);
  const known = new Map(rows.map(({ email_key, finding }) => [email_key, finding]));
  for (const row of found) {
    const key = row.signUp?.email_key;
    if (!key) continue;
    const isErased = erased.has(addressHash(keys, key).toString("hex"));
    row.finding = known.get(key) ?? (isErased ? "erased before" : "new");
    if (!isErased) known.set(key, known.get(key) ?? "known");
  }
  return found;
}

function findColumns(titles: string[], questions: Question[]) {
  const indexOf = (title: RegExp) => titles.findIndex((each) => title.test(each.trim()));
  if (indexOf(COLUMNS.email) === -1) return undefined;
  const answers = questions.map(answerColumn).map((name) => [name, new RegExp(`^${name}(:|$)`)] as const);
  const columns = [...Object.entries(COLUMNS), ...answers].map(([name, title]) => ({ name, index: indexOf(title) }));
  return columns.filter(({ index }) => index !== -1);
}

function readRow(
  { name, ...cells }: Record<string, string>,
  questions: Question[],
  source: string,
  row: number,
): ImportRow {
  const [, firstName, lastName] = /^(.+)\s(\S+)$/.exec(name ?? "") ?? [];
  const { data, error } = signUpSchema.safeParse({ firstName, lastName, ...cells });
  const person = data && personColumns(data);
  if (!person) return { row, finding: "invalid", text: error?.issues[0]?.message ?? "No such domain" };
  const answers = readAnswerCells(cells, questions);
  if ("unknown" in answers) return { row, finding: "invalid", text: `No such choice: ${answers.unknown}` };
  const rest = { ...originOfImport(source), idempotency_key: null, mail_network: 0 };
  const signUp = { ...person, ...derivedColumns(person), ...rest };
  return { row, finding: "new", text: person.email, signUp, answers };
}

/**
 * Puts everyone new on the list, subscribed if they agreed to a wording. Until they confirm, they get only the
 * confirmation. After an interruption, a preview of the same file has only the others as new.
 */
export async function importPeople(
  db: Database,
  actor: Actor,
  rows: ImportRow[],
  { wording, mail }: { wording: string | undefined; mail: MailOn | undefined },
): Promise<number> {
  const people = rows.flatMap(({ finding, signUp, answers = {} }) =>
    finding === "new" && signUp ? { signUp: { ...signUp, newsletter: wording !== undefined }, answers } : [],
  );
  const wordingVersion = wording === undefined ? 0 : await recordWording(db, wording);
  const batchOptions = { wordingVersion, resend: resendFor(mail) };
  const record = recordInParts(db, actor, { action: "import people" });
  let imported = 0;
  for (let start = 0; start < people.length; start += CHUNK_SIZE) {
    imported += await record(async (transaction) => {
      const chunk = people.slice(start, start + CHUNK_SIZE);
      const signUps = chunk.map(({ signUp }) => signUp);
      const outcomes = await writeBatch(executor(transaction), batchOptions, signUps);
      // Someone may have joined since the preview.
      const joined = chunk.filter((_, index) => outcomes[index]?.kind === "joined");
      await writeAnswers(transaction, joined);
      return joined.length;
    });
  }
  // Counts in an index are slow until a vacuum. For a role other than the owner this is only a warning, and autovacuum
  // follows within a minute. The function analyzes with the owner's rights.
  await sql`vacuum sign_ups`.execute(db);
  await sql`select forget_erased()`.execute(db);
  return imported;
}

/** Wordings of other forms than ours have negative versions. */
async function recordWording(db: Database, wording: string): Promise<number> {
  const known = sql<{ version: number }>`select version from consent_wordings where wording = ${wording}`;
  await sql`
    insert into consent_wordings (version, wording)
    select least(min(version), 0) - 1, ${wording} from consent_wordings having not exists (${known})`.execute(db);
  return onlyRow(await known.execute(db)).version;
}

/** Takes back an import as a whole, and returns how many people were in it. Undefined if someone has confirmed. */
export function undoImport(db: Database, actor: Actor, source: string): Promise<number | undefined> {
  return retryTransaction(db, async (transaction) => {
    const { rows } = await sql<{ id: string; isConfirmed: boolean }>`
      select id, ${isIn("confirmed")} as "isConfirmed" from sign_ups
      where utm @> ${JSON.stringify(originOfImport(source).utm)}::jsonb order by id for update`.execute(transaction);
    if (rows.some(({ isConfirmed }) => isConfirmed)) return undefined;
    const ids = rows.map(({ id }) => id);
    const count = await deleteSignUps(transaction, ids);
    if (count > 0) await recordActivity(transaction, actor, { action: "undo import", count });
    return count;
  });
}
