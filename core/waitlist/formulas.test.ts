import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeFormulas } from "./formulas.ts";

/** CSV as PostgreSQL writes it with every cell quoted. */
const csv = (rows: string[][]) =>
  rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`).join("");

async function escapeInChunks(text: string, chunkSize: number): Promise<string> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const escaped: Buffer[] = [];
  for await (const chunk of escapeFormulas(chunks())) escaped.push(chunk);
  return Buffer.concat(escaped).toString();
}

test("puts an apostrophe before a cell that starts like a formula, however the bytes are chunked", async () => {
  const cell = fc.oneof(
    fc.string({ unit: "grapheme" }).map((text) => text.replace(/\p{Cc}/gu, "")),
    fc.constantFrom("=1+1", "+x", "-1", "@cmd", "＝1", "＠x", ',"=1', '"=1', 'a,"=', "a=1", ""),
    fc.constantFrom("a;=1", 'a;"=1', "a; +x", "a\t@cmd", "a;b=1"),
  );
  const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), async (rows, chunkSize) => {
      const expected = rows.map((row) => row.map((text) => text.replace(/(^|[;\t][" ]*)(?=[=+\-@＝＋－＠])/g, "$1'")));
      expect(await escapeInChunks(csv(rows), chunkSize)).toBe(csv(expected));
    }),
  );
});
