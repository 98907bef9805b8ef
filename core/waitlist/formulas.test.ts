import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeFormulas } from "./formulas.ts";

/** As PostgreSQL writes it with every cell quoted. */
const csv = (rows: string[][]) =>
  rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`).join("");

async function pass(text: string, pieceSize: number): Promise<string> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
  }
  const passed: Buffer[] = [];
  for await (const piece of escapeFormulas(pieces())) passed.push(piece);
  return Buffer.concat(passed).toString();
}

test("a cell that begins like a formula gets an apostrophe, wherever it stands and however the bytes arrive", async () => {
  const cell = fc.oneof(
    fc.string({ unit: "grapheme" }).map((text) => text.replace(/\p{Cc}/gu, "")),
    fc.constantFrom("=1+1", "+x", "-1", "@cmd", "＝1", "＠x", ',"=1', '"=1', 'a,"=', "a=1", ""),
  );
  const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), async (rows, pieceSize) => {
      const expected = rows.map((row) => row.map((text) => (/^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text)));
      expect(await pass(csv(rows), pieceSize)).toBe(csv(expected));
    }),
  );
});
