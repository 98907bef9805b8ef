import { expect, test } from "vitest";
import { addressColumn } from "./address-column.ts";

async function* whole(text: string) {
  yield text;
}
const read = (text: string) => Array.fromAsync(addressColumn(whole(text)));

test("reads the address column of a mail provider's file, with or without a header", async () => {
  expect(await read("created,Email Address,reason\n1,a@x.com,550 no b@x.com\n")).toEqual(["a@x.com"]);
  expect(await read("recipient\na@x.com\n b@x.com \n")).toEqual(["a@x.com", "b@x.com"]);
  expect(await read("2026-11-15;a@x.com;bounce\n2026-11-15;b@x.com;bounce")).toEqual(["a@x.com", "b@x.com"]);
});

test("yields undefined for a row without an address", async () => {
  expect(await read("email,reason\nn/a,x\na@x.com,y\n\u0000@x.com,z\n")).toEqual([undefined, "a@x.com", undefined]);
  expect(await read("reason,email\nshort\n")).toEqual([undefined]);
});

test("reads our own export, where an address like a formula starts with an apostrophe", async () => {
  expect(await read("email\n\"'+ada@x.com\"\n'bob@x.com\n")).toEqual(["+ada@x.com", "'bob@x.com"]);
});

test("refuses a file without an address column", async () => {
  expect(await read("name,reason\nAda,bounce\n")).toEqual([
    { unreadable: expect.stringContaining("column named email") },
  ]);
});
