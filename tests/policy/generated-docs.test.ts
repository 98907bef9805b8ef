import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { configurationPage } from "#tools/configuration-page.ts";
import { openApiDocument } from "#tools/openapi-document.ts";

test("docs/openapi.json is up to date with the contract (fix: npm run generate -- openapi)", async () => {
  expect(JSON.parse(await readFile("docs/openapi.json", "utf8"))).toEqual(await openApiDocument());
});

test("docs/configuration.md is up to date with the settings (fix: npm run generate -- configuration)", async () => {
  expect(await readFile("docs/configuration.md", "utf8")).toBe(configurationPage());
});
