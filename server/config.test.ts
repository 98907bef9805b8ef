import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const DATABASE_URL = "postgres://farwatch@localhost/farwatch";

test("only the database must be named", () => {
  expect(readConfig({ DATABASE_URL })).toEqual({ DATABASE_URL, HOST: "127.0.0.1", PORT: 3000, LOG_LEVEL: "info" });
});

test("every bad key is listed at once", () => {
  expect(() => readConfig({ DATABASE_URL: "mysql://x", PORT: "70000", LOG_LEVEL: "loud" })).toThrow(
    /DATABASE_URL: must be a postgres:\/\/ address\n {2}PORT: .*\n {2}LOG_LEVEL: /,
  );
});

test("an empty variable counts as not set", () => {
  expect(readConfig({ DATABASE_URL, PORT: "" }).PORT).toBe(3000);
  expect(() => readConfig({ DATABASE_URL: "" })).toThrow("DATABASE_URL");
});
