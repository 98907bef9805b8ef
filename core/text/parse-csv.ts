/** The file isn't valid CSV, or has no address column; the message says what is wrong. */
export class UnreadableCsv extends Error {}

/** Far more than any mail provider's row. A quote that is never closed would otherwise load the file into memory. */
const MAX_ROW_LENGTH = 1_000_000;

const SEPARATORS = [",", ";", "\t"];

/**
 * Parses CSV in constant memory. Accepts line breaks in quoted cells, any common line ending and a byte order mark. The
 * separator is the most frequent one in the first line. Skips empty lines.
 */
export async function* csvRows(chunks: AsyncIterable<string> | string[]): AsyncGenerator<string[]> {
  let separator: string | undefined;
  let row: string[] = [];
  let cell = "";
  let length = 0;
  let state: "start" | "plain" | "quoted" | "quote in quotes" = "start";
  for await (const chunk of withWholeFirstLine(chunks)) {
    separator ??= chooseSeparator(chunk);
    for (const character of chunk) {
      length += 1;
      if (length > MAX_ROW_LENGTH) throw new UnreadableCsv("it has a row without an end, perhaps an unclosed quote");
      if (state === "quoted") {
        if (character === '"') state = "quote in quotes";
        else cell += character;
      } else if (state === "quote in quotes" && character === '"') {
        cell += character;
        state = "quoted";
      } else if (character === "\n" || character === "\r") {
        if (state !== "start" || row.length > 0) yield [...row, cell];
        row = [];
        cell = "";
        length = 0;
        state = "start";
      } else if (character === separator) {
        row.push(cell);
        cell = "";
        state = "start";
      } else if (state === "start" && character === '"') {
        state = "quoted";
      } else {
        cell += character;
        state = "plain";
      }
    }
  }
  if (state === "quoted") throw new UnreadableCsv("its last row has an unclosed quote");
  if (state !== "start" || row.length > 0) yield [...row, cell];
}

/** Drops a byte order mark, and buffers until the first chunk has the whole first line, unless that is too long. */
async function* withWholeFirstLine(chunks: AsyncIterable<string> | string[]): AsyncGenerator<string> {
  let first = "";
  let isFirst = true;
  for await (const chunk of chunks) {
    if (!isFirst) yield chunk;
    else {
      first += chunk;
      isFirst = !/[\r\n]/.test(first) && first.length <= MAX_ROW_LENGTH;
      if (!isFirst) yield first.replace(/^\uFEFF/, "");
    }
  }
  if (isFirst) yield first.replace(/^\uFEFF/, "");
}

function chooseSeparator(text: string): string {
  const [line = ""] = text.split(/[\r\n]/, 1);
  const count = (separator: string) => line.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}
