import { expect, test } from "vitest";
import { checkMessage } from "./render.ts";

const check = (body: string) => checkMessage({ kind: "announcement", subject: "News", body });

test.each([
  ["in one paragraph", "*a_".repeat(4000)],
  ["in lines", "*a_\n".repeat(4000)],
  ["in paragraphs", `${"*a_".repeat(100)}\n\n`.repeat(20)],
  ["in nested lists", "1. ".repeat(6000)],
])("rejects Markdown that takes seconds to parse: %s", (_where, body) => {
  expect(check(body)).toMatchObject({
    refused: "invalid",
    detail: expect.stringContaining("too many formatting characters"),
  });
});

test("accepts a long message with much formatting", () => {
  const list = "- **Bold**, _emphasis_ and [a link](https://example.com/a_b)\n".repeat(40);
  expect(check(`${"A *paragraph* with `code`!\n\n".repeat(500)}${list}`)).toBeUndefined();
});
