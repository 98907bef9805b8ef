import { expect, test } from "vitest";
import { caseInsensitivePattern } from "./find-people.ts";

test("the pattern matches text in any case, with every special character as typed", () => {
  const matches = (text: string, stored: string) => new RegExp(caseInsensitivePattern(text), "u").test(stored);
  expect(matches("MÜLLER", "Anna Müller")).toBe(true);
  expect(matches("straße", "STRASSE")).toBe(true);
  expect(matches("muller", "Müller")).toBe(false);
  expect(matches("a+b@x.com", "A+B@X.COM")).toBe(true);
  expect(matches("a+b@x.com", "aab@x.com")).toBe(false);
  expect(matches("a+b@x.com", "a+b@xxcom")).toBe(false);
  for (const text of ["%", "_", "\\", "(", "[", "{", "|", "^", "$", "?", "*"]) {
    expect(matches(text, "Ada Lovelace")).toBe(false);
    expect(matches(text, `Ada ${text} Lovelace`)).toBe(true);
  }
});
