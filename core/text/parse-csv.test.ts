import { expect, test } from "vitest";
import { csvRows } from "./parse-csv.ts";

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const parse = (text: string, size = text.length) => Array.fromAsync(csvRows(inPieces(text, size)));

test("parses quotes, line breaks in cells, every line end and a byte order mark, wherever a chunk ends", async () => {
  const text = '\uFEFFemail,reason\r\n"a@x.com","He said ""no"",\r\nthen hung up"\n\nb@x.com,\rc@x.com,"x"';
  for (let size = 1; size <= text.length; size += 1) {
    expect(await parse(text, size)).toEqual([
      ["email", "reason"],
      ["a@x.com", 'He said "no",\r\nthen hung up'],
      ["b@x.com", ""],
      ["c@x.com", "x"],
    ]);
  }
});

test("uses the separator that the first line has most of", async () => {
  expect(await parse("a@x.com;1,5;x\nb@x.com;2;y")).toEqual([
    ["a@x.com", "1,5", "x"],
    ["b@x.com", "2", "y"],
  ]);
  expect(await parse("a\tb,c\td\n")).toEqual([["a", "b,c", "d"]]);
  expect(await parse("")).toEqual([]);
});

test("refuses a quote that is never closed instead of reading the file into memory", async () => {
  expect(await parse('a@x.com\n"b@x.com\nc@x.com')).toContainEqual({
    unreadable: "its last row has an unclosed quote",
  });
  let read = 0;
  async function* endless() {
    yield '"';
    for (;;) {
      read += 100_000;
      yield "x\n".repeat(50_000);
    }
  }
  const [row] = await Array.fromAsync(csvRows(endless()));
  expect(row).toEqual({ unreadable: expect.stringContaining("a row without an end") });
  expect(read).toBeLessThan(2_000_000);
});
