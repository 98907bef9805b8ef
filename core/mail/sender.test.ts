import { expect, test } from "vitest";
import { requiresTls } from "./sender.ts";

test.each([
  ["smtp://user:secret@mail.example.com", true],
  ["smtp://user:secret@mail.example.com:25", true],
  ["smtps://user:secret@mail.example.com", true],
  ["smtp://mail.example.com", false],
  ["smtp://user:secret@127.0.0.1:2525", false],
  ["smtp://user:secret@localhost", false],
])("credentials need TLS unless the server is on this machine: %s", (url, required) => {
  expect(requiresTls(url)).toBe(required);
});
