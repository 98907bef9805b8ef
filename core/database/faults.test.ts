import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { expect, test } from "vitest";
import { isUnavailable } from "./faults.ts";

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
])("%s counts as an outage of the database: %s", async (_what, isOutage, work) => {
  const reason = await errorOf(work);
  expect(reason).toBeInstanceOf(Error);
  expect(isUnavailable(reason)).toBe(isOutage);
});
