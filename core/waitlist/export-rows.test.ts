import fc from "fast-check";
import { expect, test } from "vitest";
import { translateRows } from "./binary-copy.ts";
import { csvRowWriter } from "./csv-row.ts";
import { jsonRowWriter } from "./json-row.ts";

const COLUMNS = ["a", "b", "c"].map((name) => ({ name, type: "text" as const }));

/** A binary COPY of rows of text. */
function binaryCopy(rows: (string | null)[][]): Buffer {
  const int = (value: number, size: number) => {
    const bytes = Buffer.alloc(size);
    bytes.writeIntBE(value, 0, size);
    return bytes;
  };
  const field = (text: string | null) =>
    text === null ? [int(-1, 4)] : [int(Buffer.byteLength(text), 4), Buffer.from(text)];
  const header = [Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), int(0, 4), int(0, 4)];
  return Buffer.concat([...header, ...rows.flatMap((row) => [int(row.length, 2), ...row.flatMap(field)]), int(-1, 2)]);
}

async function translateInChunks(
  rows: (string | null)[][],
  chunkSize: number,
  write: Parameters<typeof translateRows>[1],
): Promise<string> {
  const bytes = binaryCopy(rows);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const written: Buffer[] = [];
  for await (const chunk of translateRows(chunks(), write)) written.push(chunk);
  return Buffer.concat(written).toString();
}

const cell = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(..."a\"\\,;=\t \n\r\u0001\u001f\u007f\u202e'😀") }),
  fc.constantFrom("=1+1", "+x", "-1", "@cmd", "＝1", "＠x", ',"=1', '"=1', 'a,"=', "a=1", "", "\\N", "\\.", "null"),
  fc.constantFrom("a;=1", 'a;"=1', "a; +x", "a\t@cmd", "a;b=1", ";;=", "a;＋1", null),
);
const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 });
const chunkSize = fc.integer({ min: 1, max: 60 });

test("CSV has an apostrophe before what a spreadsheet takes for a formula, however the bytes are chunked", async () => {
  const escaped = (text: string) => text.replace(/(^|[;\t][" ]*)(?=[=+\-@＝＋－＠])/g, "$1'").replaceAll('"', '""');
  await fc.assert(
    fc.asyncProperty(table, chunkSize, async (rows, size) => {
      const expected = rows.map((row) => `${row.map((text) => (text === null ? "" : `"${escaped(text)}"`)).join()}\n`);
      expect(await translateInChunks(rows, size, csvRowWriter(COLUMNS))).toBe(expected.join(""));
    }),
  );
});

test("JSON Lines are what JSON.stringify writes, however the bytes are chunked", async () => {
  await fc.assert(
    fc.asyncProperty(table, chunkSize, async (rows, size) => {
      const expected = rows.map(([a, b, c]) => `${JSON.stringify({ a, b, c })}\n`);
      expect(await translateInChunks(rows, size, jsonRowWriter(COLUMNS))).toBe(expected.join(""));
    }),
  );
});
