import { setImmediate as yieldToOthers } from "node:timers/promises";
import { sql } from "kysely";
import { signUpSchema } from "#contract/sign-up.ts";
import type { Actor } from "#core/activity/activity.ts";
import { changeMany } from "#core/activity/change-many.ts";
import type { ErasureKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import type { NewSignUp } from "#core/database/tables.ts";
import { executor } from "#core/database/transaction.ts";
import { resendFor } from "#core/mail/queue/flag-mail.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { COLUMN_NAME, cleanCell } from "#core/people/address-column.ts";
import { NO_NETWORK, originOfImport } from "#core/people/origin.ts";
import { derivedColumns, personColumns } from "#core/people/person-columns.ts";
import { type Question, readQuestions } from "#core/people/questions.ts";
import { hasWithdrawn, isIn, isListed } from "#core/people/states.ts";
import { addressHash } from "#core/retention/erase.ts";
import { writeBatch } from "#core/sign-ups/write-batch.ts";
import { csvRows, type UnreadableCsv } from "#core/text/parse-csv.ts";
import { type Answers, answerColumn, readAnswerCells, writeAnswers } from "./answer-columns.ts";

type Finding = "new" | "known" | "invalid" | "unsubscribed" | "suppressed" | "erased before";

/** A row of the file. `text` is the address, or what is wrong with the row. */
export interface ImportRow {
  row: number;
  finding: Finding;
  text: string;
  signUp?: NewSignUp;
  answers?: Answers;
}

interface Field extends Record<"name" | "label", string> {
  title: RegExp;
}

const FIELDS: Field[] = [
  { name: "email", label: "Email", title: COLUMN_NAME },
  { name: "firstName", label: "First name", title: /^(first|given)[ _-]?name$/i },
  { name: "lastName", label: "Last name", title: /^(last|family|sur)[ _-]?name$/i },
  { name: "name", label: "Name", title: /^(full[ _-]?)?name$/i },
  { name: "company", label: "Company", title: /^(company|organi[sz]ation)([ _-]?name)?$/i },
];

/** Between slices of rows, other requests are served. */
const SLICE_SIZE = 250;

/** Says what an import would do with each row. The form's rules apply, and nobody on the list is changed. */
export async function previewImport(db: Database, keys: ErasureKeys, text: string, source: string) {
  const questions = await readQuestions(db);
  const found: ImportRow[] = [];
  let columns: ReturnType<typeof findColumns> | undefined;
  // In pieces, because each is parsed at once; by Unicode characters, because half of one would be lost.
  for await (const cells of csvRows(text.match(/.{1,10000}/gsu) ?? [])) {
    if ("unreadable" in cells) return cells;
    if (found.length % SLICE_SIZE === 0) await yieldToOthers();
    const values = columns?.flatMap(({ field }, index) => (field ? [[field.name, cleanCell(cells[index] ?? "")]] : []));
    if (values) found.push(readRow(Object.fromEntries(values), questions, source, found.length + 2));
    else columns = findColumns(cells, questions);
  }
  if (!columns?.some(({ field }) => field?.name === "email"))
    return { unreadable: "its first row has no column named email" };

  const { rows: erasures } = await sql<{ hash: Buffer }>`select address_hash as hash from erasures`.execute(db);
  const erased = new Set(erasures.map(({ hash }) => hash.toString("hex")));
  const { rows } = await sql<{ email_key: string; finding: Finding }>`
    select email_key, case
      when ${isIn("suppressed")} then 'suppressed'
      when ${hasWithdrawn} or exists (select from deliveries where sign_up_id = id and reason = 'unsubscribed') then 'unsubscribed'
      else 'known' end as finding
    from sign_ups where email_key = any(${found.map(({ signUp }) => signUp?.email_key)})`.execute(db);
  const known = new Map(rows.map(({ email_key, finding }) => [email_key, finding]));
  for (const [index, row] of found.entries()) {
    if (index % SLICE_SIZE === 0) await yieldToOthers();
    const key = row.signUp?.email_key;
    if (!key) continue;
    const isErased = erased.has(addressHash(keys, key).toString("hex"));
    row.finding = known.get(key) ?? (isErased ? "erased before" : "new");
    if (!isErased) known.set(key, known.get(key) ?? "known");
  }
  return { columns, rows: found };
}

export type ReadImport = Exclude<Awaited<ReturnType<typeof previewImport>>, UnreadableCsv>;

/** The field that each column of the file becomes, if any. Of several columns for one field, the first counts. */
function findColumns(cells: string[], questions: Question[]) {
  const answers = questions.map((question) => {
    const name = answerColumn(question);
    return { name, label: question.text, title: new RegExp(`^${name}(:|$)`) };
  });
  const unused = new Set([...FIELDS, ...answers]);
  return cells.map((cell) => {
    const title = cell.trim();
    const field = unused.values().find((each) => each.title.test(title));
    if (field) unused.delete(field);
    return { title, field };
  });
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
  const rest = { ...originOfImport(source), idempotency_key: null, mail_network: NO_NETWORK };
  const signUp = { ...person, ...derivedColumns(person), ...rest };
  return { row, finding: "new", text: person.email, signUp, answers };
}

/**
 * Adds everyone new, subscribed if they agreed to a wording. Until they confirm, they get only the confirmation. After
 * an interruption, previewing the file again shows only the rest as new.
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
  const imported = await changeMany(db, { actor, action: "import people" }, [people], async (chunk, next) => {
    const signUps = next.map(({ signUp }) => signUp);
    const outcomes = await writeBatch(executor(chunk), batchOptions, signUps);
    // Someone may have joined since the preview.
    const joined = next.filter((_, index) => outcomes[index]?.kind === "joined");
    await writeAnswers(chunk, joined);
    return { count: joined.length };
  });
  // Counting in an index is slow until a vacuum. Unless we are the owner, VACUUM only warns, but autovacuum follows
  // within a minute. The function below analyzes with the owner's rights.
  await sql`vacuum sign_ups`.execute(db);
  await sql`select forget_erased()`.execute(db);
  return imported;
}

/** Wordings from forms other than ours have negative versions. */
async function recordWording(db: Database, wording: string): Promise<number> {
  const known = sql<{ version: number }>`select version from consent_wordings where wording = ${wording}`;
  await sql`
    insert into consent_wordings (version, wording)
    select least(min(version), 0) - 1, ${wording} from consent_wordings having not exists (${known})
    on conflict do nothing`.execute(db);
  // Nothing is recorded if another import took the version meanwhile.
  return (await known.execute(db)).rows[0]?.version ?? recordWording(db, wording);
}

/** Each import's people who are on the list and haven't signed up themselves since, newest first. */
export async function readImports(db: Database) {
  const { rows } = await sql<{ source: string; people: number; at: Date }>`
    select utm ->> 'source' as source, count(*)::integer as people, max(joined_at) as at
    from sign_ups where utm ? 'import' and ${isListed} group by 1 order by at desc`.execute(db);
  return rows;
}
