import { expect, test } from "vitest";
import { refusedFields } from "./refused-fields.ts";

const errors = [{ field: "email", message: "Please enter a valid email address" }];

test("names the fields of a 400, with their messages", () => {
  expect(refusedFields(new Error(`400: ${JSON.stringify({ status: 400, errors })}`))).toEqual({
    email: "Please enter a valid email address",
  });
});

test.each([
  null,
  new Error("Failed to fetch"),
  new Error("400: Bad Request"),
  new Error("400: null"),
  new Error('400: {"detail":"idempotency-key must be 32 hexadecimal digits."}'),
  new Error('400: {"errors":"email"}'),
  new Error('400: {"errors":[{"field":"email","message":{"code":"invalid"}}]}'),
  new Error('400: {"errors":[{"field":"email.message.code","message":"x"}]}'),
  new Error(`500: ${JSON.stringify({ errors })}`),
])("names no field for %s", (error) => {
  expect(refusedFields(error)).toEqual({});
});
