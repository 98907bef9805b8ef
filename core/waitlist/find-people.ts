import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { LISTED_COLUMNS, type ListedPerson } from "./people.ts";

export interface FoundPeople {
  people: ListedPerson[];
  /** Whether more people match than `limit`. */
  hasMore: boolean;
}

/** Finds people by part of their name, address or company, newest first. Reads the whole list if few match. */
export async function findPeople(db: Database, text: string, limit: number): Promise<FoundPeople> {
  const { rows } = await sql<ListedPerson>`
    select ${LISTED_COLUMNS} from sign_ups
    where concat_ws(E'\n', first_name || ' ' || last_name, email, company) ~ ${caseInsensitivePattern(text)}
    order by id desc limit ${limit + 1}`.execute(db);
  return { people: rows.slice(0, limit), hasMore: rows.length > limit };
}

/**
 * A regular expression that names both cases of each letter. ILIKE and ~* know only the letters of the database's
 * locale, so in C they would not find "Müller" by "MÜLLER".
 */
export function caseInsensitivePattern(text: string): string {
  return Array.from(text.trim(), (character) => {
    const cases = new Set([character, character.toLowerCase(), character.toUpperCase()].map(escapePattern));
    return cases.size > 1 ? `(?:${[...cases].join("|")})` : escapePattern(character);
  }).join("");
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
