import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteWriter } from "./byte-writer.ts";
import { NULL_FIELD, type Row } from "./copy-rows.ts";
import { csvRowWriter } from "./csv-row.ts";
import { jsonRowWriter } from "./json-row.ts";

const COLUMNS = ["a", "b", "c"].map((name) => ({ name, type: "text" as const }));

function format(rows: (string | null)[][], write: (row: Row, out: ByteWriter) => void): string {
  const out = new ByteWriter();
  for (const cells of rows) {
    const row: Row = { bytes: Buffer.from(cells.join("")), starts: [], ends: [] };
    let end = 0;
    for (const cell of cells) {
      row.starts.push(cell === null ? NULL_FIELD : end);
      end += Buffer.byteLength(cell ?? "");
      row.ends.push(end);
    }
    write(row, out);
  }
  return out.take().toString();
}

const cell = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(..."a\"\\,;=\t \n\r\u0001\u001f\u007f\u202e'😀") }),
  fc.constantFrom("=1+1", "+x", "-1", "@cmd", "＝1", "＠x", ',"=1', '"=1', 'a,"=', "a=1", "", "\\N", "\\.", "null"),
  fc.constantFrom("a;=1", 'a;"=1', "a; +x", "a\t@cmd", "a;b=1", ";;=", "a;＋1", null),
);
const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 });

test("CSV has an apostrophe before what a spreadsheet takes for a formula", () => {
  const escaped = (text: string) => text.replace(/(^|[;\t][" ]*)(?=[=+\-@＝＋－＠])/g, "$1'").replaceAll('"', '""');
  fc.assert(
    fc.property(table, (rows) => {
      const expected = rows.map((row) => `${row.map((text) => (text === null ? "" : `"${escaped(text)}"`)).join()}\n`);
      expect(format(rows, csvRowWriter(COLUMNS))).toBe(expected.join(""));
    }),
  );
});

test("JSON Lines are what JSON.stringify writes", () => {
  fc.assert(
    fc.property(table, (rows) => {
      const expected = rows.map(([a, b, c]) => `${JSON.stringify({ a, b, c })}\n`);
      expect(format(rows, jsonRowWriter(COLUMNS))).toBe(expected.join(""));
    }),
  );
});
