import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { createLogger, describeError } from "./log.ts";

test("logs a database error by its code, without the row that failed", () => {
  const error = new DatabaseError('invalid input syntax: "ada@example.com"', 1, "error");
  Object.assign(error, { code: "23514", table: "sign_ups", constraint: "c", detail: "Failing row contains (1, Ada)" });
  const logged = JSON.stringify(describeError(error));
  expect(logged).toContain("23514");
  expect(logged).not.toMatch(/ada/i);
});

test("PostgreSQL's message never becomes the text of a log line", () => {
  const error = new DatabaseError('duplicate key value: "ada@example.com"', 1, "error");
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => lines.push(line) });
  log.error(error);
  log.error({ err: error });
  log.error({ err: error }, error.message);
  log.child({ name: "worker" }).error(error);
  log.error(error, "A job failed");
  expect(lines.join()).not.toContain("ada@");
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([...Array(4).fill("Database error"), "A job failed"]);
});

test("logs any other error by its message and stack, without its other properties", () => {
  const error = Object.assign(new Error("WRONGPASS"), { command: { name: "auth", args: ["s3cret"] } });
  expect(describeError(error)).toMatchObject({ type: "Error", message: "WRONGPASS" });
  expect(JSON.stringify(describeError(error))).not.toContain("s3cret");
});

test("logs where a database error was thrown, and what the statement lacks", () => {
  const logged = (code: string, text: string) => {
    const error = Object.assign(new DatabaseError(text, 1, "error"), { code });
    return describeError(error);
  };
  const missing = logged("42P01", 'relation "lost" does not exist');
  expect(missing.message).toBe('relation "lost" does not exist');
  expect(missing.stack).toContain("log.test.ts");
  const invalid = logged("22P02", 'invalid input syntax: "x\n    at ada@example.com"');
  expect(invalid.message).toBe("");
  expect(invalid.stack).toContain("log.test.ts");
  expect(invalid.stack).not.toContain("ada@example.com");
});
