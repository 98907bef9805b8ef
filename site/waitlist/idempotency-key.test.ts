import { expect, test } from "vitest";
import { createIdempotencyKeys } from "./idempotency-key.ts";

test("a retry keeps its key of 32 hexadecimal digits until the form's content changes", () => {
  const keyOf = createIdempotencyKeys();
  const ada = { email: "ada@example.com", company: "", newsletter: false };
  const key = keyOf(ada);
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(keyOf({ ...ada })).toBe(key);
  const other = keyOf({ ...ada, company: "Acme" });
  expect(other).not.toBe(key);
  expect(keyOf({ ...ada, company: "Acme", newsletter: true })).not.toBe(other);
  // The page in another tab.
  expect(createIdempotencyKeys()(ada)).not.toBe(key);
});
