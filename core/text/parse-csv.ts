import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";

/** Says why the file isn't valid CSV, or has no address column. */
export interface UnreadableCsv {
  unreadable: string;
}

/** Far more than any mail provider's row. A quote that is never closed would otherwise load the file into memory. */
const MAX_ROW_LENGTH = 1_000_000;

const SEPARATORS = [",", ";", "\t"];

const PROBLEMS: Record<string, string> = {
  CSV_MAX_RECORD_SIZE: "it has a row without an end, perhaps an unclosed quote",
  CSV_QUOTE_NOT_CLOSED: "its last row has an unclosed quote",
};

/**
 * Parses CSV in constant memory. Accepts line breaks in quoted cells, any common line ending and a byte order mark. The
 * separator is the most frequent one in the first line. Skips empty lines. If unreadable, ends with the reason.
 */
export async function* csvRows(chunks: AsyncIterable<string> | string[]): AsyncGenerator<string[] | UnreadableCsv> {
  const pieces = withWholeFirstLine(chunks);
  const { value: start = "" } = await pieces.next();
  async function* whole() {
    yield start;
    yield* pieces;
  }
  const parser = parse({
    // `delimiter_auto` fails on letters outside ASCII.
    delimiter: chooseSeparator(start),
    record_delimiter: ["\r\n", "\n", "\r"],
    max_record_size: MAX_ROW_LENGTH,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  try {
    yield* Readable.from(whole()).compose(parser);
  } catch (reason) {
    if (!(reason instanceof CsvError)) throw reason;
    yield { unreadable: PROBLEMS[reason.code] ?? reason.message };
  }
}

/** Buffers until the first piece has the whole first line, unless the line is too long. */
async function* withWholeFirstLine(chunks: AsyncIterable<string> | string[]) {
  let start: string | undefined = "";
  for await (const chunk of chunks) {
    if (start === undefined) yield chunk;
    else {
      start += chunk;
      if (!/[\r\n]/.test(start) && start.length <= MAX_ROW_LENGTH) continue;
      yield start;
      start = undefined;
    }
  }
  if (start) yield start;
}

function chooseSeparator(text: string): string {
  const [line = ""] = text.split(/[\r\n]/, 1);
  const count = (separator: string) => line.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}
