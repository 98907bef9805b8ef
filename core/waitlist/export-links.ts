import type { Holder } from "#core/members/links.ts";
import { wholeRows } from "./whole-rows.ts";

/** Returns the link to a person's page. */
export type LinkOf = (holder: Holder) => string;

/** The columns that a link is made of, first in each row, so that they are found without parsing the rest of it. */
export const HOLDER_COLUMNS = ["id", "email_key"];

const CSV_HOLDER = /^(\d+),"((?:[^"]|"")*)",/;
const JSON_HOLDER = /^\{"id":(\d+),"email_key":("(?:[^"\\]|\\.)*"),/;

/** Replaces the holder's columns at the start of each row by the link at its end. */
export async function* addLinks(rows: AsyncIterable<Buffer>, isCsv: boolean, linkOf: LinkOf): AsyncGenerator<Buffer> {
  const addLink = isCsv ? addCsvLink : addJsonLink;
  for await (const chunk of wholeRows(rows)) {
    const lines = chunk.toString().split("\n");
    yield Buffer.from(lines.map((line) => line && addLink(line, linkOf)).join("\n"));
  }
}

function addCsvLink(row: string, linkOf: LinkOf): string {
  const [start, id, email_key] = holderOf(CSV_HOLDER, row);
  return `${row.slice(start.length)},${linkOf({ id, email_key: email_key.replaceAll('""', '"') })}`;
}

function addJsonLink(row: string, linkOf: LinkOf): string {
  const [start, id, email_key] = holderOf(JSON_HOLDER, row);
  const link = JSON.stringify(linkOf({ id, email_key: JSON.parse(email_key) }));
  return `{${row.slice(start.length, -1)},"link":${link}}`;
}

function holderOf(pattern: RegExp, row: string): [string, string, string] {
  const [start, id, email_key] = pattern.exec(row) ?? [];
  if (start === undefined || id === undefined || email_key === undefined) {
    throw new Error("A row of the export doesn't start with its person");
  }
  return [start, id, email_key];
}
