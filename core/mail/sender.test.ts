import { describe, expect, test } from "vitest";
import { permanentFailure, requiresTls } from "./sender.ts";

test.each([
  ["smtp://user:secret@mail.example.com", true],
  ["smtp://mail.example.com", false],
  ["smtp://user:secret@127.0.0.1:2525", false],
  ["smtp://user:secret@localhost", false],
])("credentials need TLS unless the server is on this machine: %s", (url, required) => {
  expect(requiresTls(url)).toBe(required);
});

describe("a 5xx response", () => {
  const failure = (command: string, response: string) =>
    permanentFailure({ command, response, responseCode: Number(response.slice(0, 3)) });

  test.each([
    ["RCPT TO", "550"],
    ["RCPT TO", "551 User not local"],
    ["RCPT TO", "550 5.1.1 No such user"],
    ["DATA", "550 5.2.1 Mailbox disabled"],
  ])("rejects the address if the address is what's wrong: %s %s", (command, response) => {
    expect(failure(command, response)).toBe("bounced");
  });

  test.each([
    ["RCPT TO", "550 relay not permitted"],
    ["RCPT TO", "553 Sorry, authentication required"],
    ["RCPT TO", "550 5.1.8 Bad sender"],
    ["RCPT TO", "554 5.7.1 Relay access denied"],
    ["DATA", "550"],
    ["DATA", "552 5.3.4 Message too big"],
  ])("fails the email and keeps the address if something else is: %s %s", (command, response) => {
    expect(failure(command, response)).toBe("refused");
  });

  test.each([
    ["RCPT TO", "552 5.2.2 Mailbox full"],
    ["DATA", "552-5.2.2 Over quota"],
    ["RCPT TO", "552 Exceeded storage allocation"],
    ["AUTH PLAIN", "535 5.7.8 Bad credentials"],
  ])("is retried if the mailbox is full, or isn't about the email: %s %s", (command, response) => {
    expect(failure(command, response)).toBeUndefined();
  });
});
