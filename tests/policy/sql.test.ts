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
