import { expect, test } from "vitest";
import type { Address } from "#contract/sign-up.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { searchQuery, searchWords } from "./search-words.ts";

const ada = {
  first_name: "Ada",
  last_name: "Lovelace",
  company: "Halvorsen Bank",
  email: "ada.l@example.com" as Address,
  email_key: "ada.l@example.com" as EmailKey,
};
const words = (person: Partial<typeof ada>) => searchWords({ ...ada, ...person }).split(" ");

test("someone is found by every word of their names, company and address, and by each name as one word", () => {
  const expected = ["ADA", "LOVELACE", "HALVORSEN", "BANK", "HALVORSENBANK", "L", "EXAMPLE", "COM"];
  expect(words({})).toEqual(expected);
  expect(words({ last_name: "O'Brien" })).toEqual(expect.arrayContaining(["O", "BRIEN", "OBRIEN"]));
});

test("case, accents, width and ligatures don't matter", () => {
  for (const name of ["García", "GARCI\u0301A", "garcia", "Ｇａｒｃｉａ"]) {
    expect(words({ last_name: name })).toContain("GARCIA");
    expect(searchQuery(name)).toBe("GARCIA:*");
  }
  expect(searchQuery("Straße ﬁsch İstanbul Yıldız")).toBe("STRASSE:* & FISCH:* & ISTANBUL:* & YILDIZ:*");
  expect(searchQuery("ΟΔΟΣ")).toBe(searchQuery("οδος"));
});

test("names in other scripts are words too, without the marks around them", () => {
  expect(words({ first_name: "\u2067נועה\u2069", last_name: "李" })).toEqual(expect.arrayContaining(["נועה", "李"]));
});

test("an address is also found by its domain in punycode", () => {
  const idn = words({ email: "d@bücher.example" as Address, email_key: "d@xn--bcher-kva.example" as EmailKey });
  expect(idn).toEqual(expect.arrayContaining(["BUCHER", "XN", "BCHER", "KVA"]));
});

test("everything between words separates them, and a text without a word is no query", () => {
  expect(searchQuery(" O'Brien@x.com & (a:*) | !b")).toBe("O:* & BRIEN:* & X:* & COM:* & A:* & B:*");
  expect(searchQuery("'; drop table sign_ups; --")).toBe("DROP:* & TABLE:* & SIGN:* & UPS:*");
  for (const text of ["", " ", "%", "_", "\\", "&|!()<->", "\u0301", "🎉"]) expect(searchQuery(text)).toBeUndefined();
});

test("a word that PostgreSQL would refuse for its length becomes several", () => {
  const longest = words({ last_name: "ﷺ".repeat(100), company: "x".repeat(200) });
  expect(Math.max(...longest.map((word) => Buffer.byteLength(word)))).toBeLessThan(2047);
});
