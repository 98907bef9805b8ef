import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** May use *: people-page.ts selects from a subquery; downloads and `waitlist show` need all data about a person. */
const READS_EVERYTHING = ["core/members/person-data.ts", "core/people/people-page.ts"];

const COMMENT = /\/\*\*.*?\*\/|\/\/.*?$/gms;

// The result of select * would change with the table.
test("SQL statements name their columns instead of using select * or selectAll()", () => {
  const files = globSync("core/**/*.ts", { exclude: ["**/*.test.ts"] });
  expect(files.length).toBeGreaterThan(30);
  const starred = files.filter((file) =>
    /\b(select|returning)\s+\*|\.(select|returning)All\(/i.test(readFileSync(file, "utf8").replace(COMMENT, "")),
  );
  expect(starred.sort()).toEqual(READS_EVERYTHING);
});

// recordActivity() names each entry's operator, and keeps a message's subject as it is that day.
test("only recordActivity() writes to the activity", () => {
  const files = globSync("{core,cli,console,server,worker}/**/*.ts", { exclude: ["**/*.test.ts"] });
  const writing = files.filter((file) =>
    /\binsert\s+into\s+activity\b|insertInto\("activity"/i.test(readFileSync(file, "utf8")),
  );
  expect(writing).toEqual(["core/activity/activity.ts"]);
});

const CHANGES_PEOPLE =
  /\b(?:update|delete from|insert into) (?:sign_ups|companies|consents|quarantine|mailboxes)\b|(?:updateTable|deleteFrom)\("sign_ups"\)/g;
const IS_ABOUT_ONE = /\b(?:id|email_key|mailbox) = \$\{|\(\$\{mailbox|where\("id", "=", id\)/;
/** Batches of visitors' requests, and the few mails that a worker claims at a time. */
const IN_BATCHES = ["sign-ups/write-batch", "sign-ups/quarantine", "sign-ups/unmark-imported"];
const CLAIMING = ["mail/queue/due-confirmations", "mail/queue/flag-mail"];

// Only changeMany() makes a Chunk of more than one person, and keeps its locks short.
test("a statement that changes a set of people takes a chunk", () => {
  const files = globSync("{core,cli,console,server,worker}/**/*.ts", { exclude: ["**/*.test.ts", "**/migrations/**"] });
  const outside = files.filter((file) => {
    const source = readFileSync(file, "utf8").replace(/\/\*\*.*?\*\/|^\s*\/\/.*?$/gms, "");
    return [...source.matchAll(CHANGES_PEOPLE)].some(({ index }) => {
      const [statement = "", executor] = source.slice(index).split(/\.execute\(\s*(\w+)/, 2);
      const isInChunk = executor ? executor === "chunk" : source.includes(".execute(chunk)");
      return !isInChunk && !IS_ABOUT_ONE.test(statement);
    });
  });
  expect(outside.sort()).toEqual([...IN_BATCHES, ...CLAIMING].map((file) => `core/${file}.ts`).sort());
  const casts = files.filter((file) => / as Chunk\b/.test(readFileSync(file, "utf8")));
  expect(casts.sort()).toEqual(["core/activity/change-many.ts", "core/database/transaction.ts"]);
});
