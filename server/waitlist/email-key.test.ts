import { expect, test } from "vitest";
import { emailKey } from "./email-key.ts";

test.each([
  ["Ada@Example.COM", "ada@example.com"],
  [" ada@example.com ", "ada@example.com"],
  ["ada@BÜCHER.de", "ada@xn--bcher-kva.de"],
  ["ada@xn--bcher-kva.de", "ada@xn--bcher-kva.de"],
  ["jose\u0301@example.com", "josé@example.com"],
])("%j is %s", (typed, key) => {
  expect(emailKey(typed)).toBe(key);
});

test("plus-tags and dots are left alone", () => {
  expect(emailKey("a.da+news@example.com")).toBe("a.da+news@example.com");
});

test("a domain that can't exist has no key", () => {
  expect(emailKey("ada@xn--iñvalid.com")).toBeUndefined();
});
