import type { PersonColumns } from "#core/database/tables.ts";

/** A longer word counts as several, because PostgreSQL refuses one of more than 2 kB. */
const WORD = /[\p{L}\p{N}]{1,64}/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Without marks. In upper case, where ß is SS and a final sigma like any other. */
function fold(text: string): string {
  // Most names, in a third of the time: each sign-up pays for it.
  if (ASCII.test(text)) return text.toUpperCase();
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase();
}

const SEVERAL_WORDS = /[^\p{L}\p{N}]/u;
const wordsOf = (text: string): string[] => fold(text).match(WORD) ?? [];

type Searched = Pick<PersonColumns, "first_name" | "last_name" | "company" | "email" | "email_key">;

/**
 * The words that a person is found by, as input for a tsvector: those of their names, company and address, and each name
 * as one word, so that "obrien" finds O'Brien. The address as typed and its key differ if the domain isn't ASCII.
 */
export function searchWords({ first_name, last_name, company, email, email_key }: Searched): string {
  const names = [first_name, last_name, company ?? ""];
  const joined = names.filter((name) => SEVERAL_WORDS.test(name)).map((name) => wordsOf(name).join(""));
  const addresses = email.toLowerCase() === email_key ? [email] : [email, email_key];
  return wordsOf([...names, ...joined, ...addresses].join(" ")).join(" ");
}

/** A tsquery for people who have a word that begins with each of the text's, in any order. Undefined without a word. */
export function searchQuery(text: string): string | undefined {
  const words = wordsOf(text);
  return words.length ? words.map((word) => `${word}:*`).join(" & ") : undefined;
}
