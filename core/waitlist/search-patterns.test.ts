import { expect, test } from "vitest";
import { addressPatterns, namePatterns } from "./search-patterns.ts";

test("a name in ASCII letters has one pattern, whatever its case", () => {
  expect(namePatterns("  ADA Love")).toEqual(["ada love%"]);
});

test("a name with other letters is found in every case that the C locale leaves it in", () => {
  expect(namePatterns("öztü")).toEqual(["öztü%", "ÖztÜ%", "Öztü%"]);
  expect(namePatterns("Ada ØST")).toEqual(["ada øst%", "ada Øst%"]);
});

test("percent, underscore and backslash stand for themselves", () => {
  expect(namePatterns("100%_\\")).toEqual(["100\\%\\_\\\\%"]);
  expect(addressPatterns("a_b%")).toEqual(["a\\_b\\%%"]);
});

test("an address is also found by its domain in punycode", () => {
  expect(addressPatterns("Ada@Bücher.example")).toEqual(["ada@bücher.example%", "ada@xn--bcher-kva.example%"]);
  expect(addressPatterns("ada@")).toEqual(["ada@%"]);
});
