/** `npm run generate [names]`: regenerates all committed files that are made from code, or only the named ones. */
import { writeFile } from "node:fs/promises";
import { iconSvg } from "#brand/icon.ts";
import { configurationPage } from "./configuration-page.ts";
import { openApiDocument } from "./openapi-document.ts";

/** A test fails if a file of the first three generators is out of date. */
const GENERATORS: Record<string, () => Promise<unknown>> = {
  brand: () => writeFile("site/public/icon.svg", iconSvg()),
  openapi: async () => writeFile("docs/openapi.json", `${JSON.stringify(await openApiDocument(), null, 2)}\n`),
  configuration: () => writeFile("docs/configuration.md", configurationPage()),
  async pictures() {
    await import("./build/site.ts");
    await import("./pictures.ts");
  },
};

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(GENERATORS)) {
  const generate = GENERATORS[name];
  if (!generate) throw new Error(`Unknown: ${name}. Expected one of: ${Object.keys(GENERATORS).join(", ")}`);
  await generate();
}
