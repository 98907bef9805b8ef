import { expect, test } from "vitest";
import { mailboxKey } from "./mailboxes.ts";

test.each([
  ["ada@example.com", "ada@example.com"],
  ["Ada+news@Example.com", "ada@example.com"],
  ["ada+a+b@example.com", "ada@example.com"],
  ["ada.lovelace@example.com", "ada.lovelace@example.com"],
  ["a.d.a+1@gmail.com", "ada@gmail.com"],
  ["ada@googlemail.com", "ada@gmail.com"],
  ["+1@example.com", "+1@example.com"],
])("%s goes to the mailbox %s", (address, mailbox) => {
  expect(mailboxKey(address)).toBe(mailbox);
});
