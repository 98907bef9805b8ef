import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { explainFault } from "#core/config/startup-error.ts";
import { faultOf, isOutage, PooledConnection, UnsafeRole } from "./faults.ts";

const errorOf = (work: () => Promise<unknown>) =>
  work().then(
    () => undefined,
    (reason: unknown) => reason,
  );

test.each<[string, boolean, () => Promise<unknown>]>([
  ["a refused connection", true, () => once(connect(1, "127.0.0.1"), "connect")],
  ["a missing socket of PostgreSQL's", true, () => once(connect("/nowhere/.s.PGSQL.5432"), "connect")],
  ["an unknown host", true, () => lookup("nowhere.invalid")],
  ["an argument of the wrong type", false, async () => Buffer.from(5 as never)],
  ["a missing file", false, () => readFile("/nowhere")],
  ["another machine's address", false, () => once(createServer().listen(0, "192.0.2.1"), "listening")],
])("%s counts as an outage of the database: %s", async (_what, expected, work) => {
  const reason = await errorOf(work);
  expect(reason).toBeInstanceOf(Error);
  expect(isOutage(reason)).toBe(expected);
});

const databaseError = (code: string) => Object.assign(new DatabaseError("x", 1, "error"), { code });

test.each([
  ["28P01", "locked out", true],
  ["28000", "locked out", true],
  ["3D000", "locked out", true],
  ["57P01", "unreachable", true],
  ["25006", "unreachable", true],
  ["57014", "timeout", true],
  ["40P01", "conflict", true],
  ["23505", "bad data", false],
  ["42501", "forbidden", false],
  ["42P01", "schema", false],
  ["XX000", "bug", false],
])("PostgreSQL's %s is %s, an outage: %s", (code, fault, expected) => {
  expect(faultOf(databaseError(code))).toBe(fault);
  expect(isOutage(databaseError(code))).toBe(expected);
});

test("a session that isn't safe to use is an outage too", () => {
  expect([new UnsafeRole(), new PooledConnection()].map(isOutage)).toEqual([true, true]);
});

test.each([
  [
    "a port of another machine",
    () => once(createServer().listen(8080, "192.0.2.1"), "listening"),
    /^Can't listen on port 8080: .+\. Set/,
  ],
  ["a file instead of a folder", () => readdir("package.json"), /^Can't access a file or folder: ENOTDIR: /],
])("%s is explained in one sentence", async (_what, work, sentence) => {
  expect(explainFault(await errorOf(work))).toMatch(sentence);
});
