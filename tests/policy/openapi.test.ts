import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openApiDocument } from "#tools/openapi-document.ts";

test("docs/openapi.json is up to date with the contract (fix: npm run generate -- openapi)", async () => {
  expect(JSON.parse(await readFile("docs/openapi.json", "utf8"))).toEqual(await openApiDocument());
});
