import { expect, test } from "vitest";
import { failureOf } from "./failures.ts";

test.each([
  ["5.1.1", "bounce"],
  ["smtp; 550 5.1.1 No such user", "bounce"],
  ["smtp;550-5.1.10 Recipient not found", "bounce"],
  ["554 5.7.26 Unauthenticated", "refused"],
  ["5.1.8", "refused"],
  ["5.2.2", "soft bounce"],
  ["smtp; 452 4.2.2 Over quota", "soft bounce"],
  ["5.0.0", undefined],
  ["550 No such user at 10.5.1.1", undefined],
])("%s is a %s", (text, failure) => {
  expect(failureOf(text)).toBe(failure);
});
