import type { PersonColumns } from "#core/database/tables.ts";

/** Longer words are split, because PostgreSQL rejects words over 2 kB. */
const WORD = /[\p{L}\p{N}]{1,64}/gu;

/** The words of a text without combining marks. Upper case makes ß match SS, and ς match σ. */
function wordsOf(text: string): string[] {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().match(WORD) ?? [];
}

type Searched = Pick<PersonColumns, "first_name" | "last_name" | "company" | "email" | "email_key">;

/**
 * A person's searchable words, as input for a tsvector: those of their names, company and address, and each name as one
 * word, so that "obrien" finds O'Brien. Contains both the address and its key, which differ if the domain isn't ASCII.
 */
export function searchWords({ first_name, last_name, company, email, email_key }: Searched): string {
  const names = [first_name, last_name, company ?? ""].map(wordsOf);
  const joined = names.flatMap((words) => wordsOf(words.join("")));
  return [...new Set([...names.flat(), ...joined, ...wordsOf(email), ...wordsOf(email_key)])].join(" ");
}

export const distinctWords = (text: string) => [...new Set(wordsOf(text))];

/** A tsquery that prefix-matches all words of the text, in any order. Undefined if there are none. */
export function searchQuery(text: string): string | undefined {
  const words = distinctWords(text);
  return words.length ? words.map((word) => `${word}:*`).join(" & ") : undefined;
}
