import { type RawBuilder, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import { readInChunks } from "#core/database/chunks.ts";
import type { Database } from "#core/database/connect.ts";
import type { PersonColumns } from "#core/database/tables.ts";
import type { Person } from "#core/links/links.ts";
import { countMatching, type Filter, matches } from "#core/people/filter.ts";
import { readQuestions } from "#core/people/questions.ts";
import { csvRow } from "#core/text/csv-row.ts";
import { answerCell, answerColumn } from "./answer-columns.ts";

export type Format = "csv" | "jsonl";

export type LinkOf = (person: Person) => string;

export interface ExportRequest {
  filter: Filter;
  format: Format;
  hasBom?: boolean | undefined;
  linkOf?: LinkOf | undefined;
}

/** Read once for the whole export. Cheap, because few people withdraw their consent. */
const WITHDRAWALS = sql`
  left join (
    select sign_up_id, max(at) as withdrawn_at from consents where not given group by 1
  ) as withdrawals on sign_up_id = id`;

type ExportedPerson = Record<string, string | boolean | Date | null>;

/**
 * Streams the list in constant memory, from one snapshot. Records the activity before the first row leaves, because the
 * export may be interrupted. `onRows` gets the number of people in each chunk.
 */
export async function* exportFile(
  db: Database,
  actor: Actor,
  { filter, format, hasBom = false, linkOf }: ExportRequest,
  onRows?: (people: number) => void,
): AsyncGenerator<string> {
  await recordActivity(db, actor, {
    action: linkOf ? "export links" : "export",
    count: await countMatching(db, filter),
  });
  const questions = await readQuestions(db);
  if (hasBom) yield "\uFEFF";
  if (format === "csv") {
    const titles = questions.map((question) => csvRow([`${answerColumn(question)}: ${question.text}`]).trimEnd());
    yield `${[...Object.keys(EXPORT_COLUMNS), ...titles, ...(linkOf ? ["link"] : [])].join()}\n`;
  }
  const answers = questions.map((question) => [answerColumn(question), answerCell(question)] as const);
  const columns = [...Object.entries(EXPORT_COLUMNS), ...answers].map(
    ([name, value]) => sql`${value} as ${sql.id(name)}`,
  );
  const everyone = sql<ExportedPerson>`
    select ${sql.join(linkOf ? [...columns, sql`id`, sql`email_key`] : columns)}
    from sign_ups ${WITHDRAWALS} where ${matches(filter)} order by id`;
  for await (const chunk of readInChunks(db, everyone)) {
    const people = linkOf ? chunk.map((person) => withLink(person, linkOf)) : chunk;
    yield people.map(LINES[format]).join("");
    onRows?.(people.length);
  }
}

function withLink({ id, email_key, ...person }: ExportedPerson, linkOf: LinkOf): ExportedPerson {
  return { ...person, link: linkOf({ id: String(id), email_key: String(email_key) }) };
}

const LINES: Record<Format, (person: ExportedPerson) => string> = {
  csv: (person) => csvRow(Object.values(person)),
  jsonl: (person) => `${JSON.stringify(person)}\n`,
};

/** The form's text fields by column. The type requires every new field to be exported. */
const FORM_COLUMNS: Record<Exclude<keyof PersonColumns, "email_key" | "newsletter">, string> = {
  email: "email",
  first_name: "firstName",
  last_name: "lastName",
  company: "company",
};

const EXPORT_COLUMNS: Record<string, RawBuilder<unknown>> = {
  ...Object.fromEntries(Object.entries(FORM_COLUMNS).map(([column, name]) => [name, sql.ref(column)])),
  utmSource: sql`utm ->> 'source'`,
  utmMedium: sql`utm ->> 'medium'`,
  utmCampaign: sql`utm ->> 'campaign'`,
  utmTerm: sql`utm ->> 'term'`,
  utmContent: sql`utm ->> 'content'`,
  newsletter: sql`newsletter`,
  joinedAt: sql`joined_at`,
  confirmedAt: sql`confirmed_at`,
  invitedAt: sql`invited_at`,
  suppressedAt: sql`suppressed_at`,
  unsubscribedAt: sql`case when not newsletter then withdrawn_at end`,
  acceptedAt: sql`accepted_at`,
};
