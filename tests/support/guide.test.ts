import { expect, test } from "vitest";
import { adapt, parseSections } from "#tests/support/guide.ts";

test("finds a guide's commands by the heading above them, and those inside lists", () => {
  const markdown = [
    "## Install",
    "```sh",
    "# a comment, not a heading",
    "cat <<END",
    "  indented",
    "END",
    "```",
    "Then:",
    "```sh",
    "second",
    "```",
    "### Repair",
    "1. Like this:",
    "   ```sh",
    "   if true",
    "     then repair",
    "   ```",
    "```json",
    "{}",
    "```",
  ].join("\n");
  expect([...parseSections(markdown)]).toEqual([
    ["Install", ["# a comment, not a heading\ncat <<END\n  indented\nEND", "second"]],
    ["Repair", ["if true\n  then repair"]],
  ]);
});

test("refuses to adapt what the guide no longer says", () => {
  expect(adapt("export ME=one", { "ME=one": "ME=two" })).toBe("export ME=two");
  expect(() => adapt("export ME=one", { "ME=1": "ME=two" })).toThrow('"ME=1" isn\'t in the guide');
});
