import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openApiDocument } from "#tools/openapi-document.ts";

test("docs/openapi.json is what the contract says; npm run generate -- openapi writes it anew", async () => {
  expect(JSON.parse(await readFile("docs/openapi.json", "utf8"))).toEqual(await openApiDocument());
});
