import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { describeError } from "./log.ts";

test("a database's error is told by its code, without the row it failed on", () => {
  const error = new DatabaseError('invalid input syntax: "ada@example.com"', 1, "error");
  Object.assign(error, { code: "23514", table: "sign_ups", constraint: "c", detail: "Failing row contains (1, Ada)" });
  const said = JSON.stringify(describeError(error));
  expect(said).toContain("23514");
  expect(said).not.toMatch(/ada/i);
});

test("any other error is told by its message and stack, without whatever else it carries", () => {
  const error = Object.assign(new Error("WRONGPASS"), { command: { name: "auth", args: ["s3cret"] } });
  expect(describeError(error)).toMatchObject({ type: "Error", message: "WRONGPASS" });
  expect(JSON.stringify(describeError(error))).not.toContain("s3cret");
});
