import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { formatJson } from "./escape-invisible.ts";
import { formatKeyValueList, formatTable } from "./table.ts";

const HOSTILE = "\u001b[2Jad\u202ea\u200b\u{e0041}";
const SHOWN = "\\u001b[2Jad\\u202ea\\u200b\\udb40\\udc41";

test("tables and lists show control, bidirectional and zero-width characters as escapes", () => {
  expect(stripVTControlCharacters(formatTable([{ name: HOSTILE }])).split("\n")[1]).toBe(SHOWN);
  expect(formatKeyValueList({ name: HOSTILE }, 80)).toContain(SHOWN);
});

test("JSON keeps its value and shows no such character", () => {
  const text = formatJson({ name: HOSTILE });
  expect(text).toContain(SHOWN);
  expect(JSON.parse(text)).toEqual({ name: HOSTILE });
});
