/** `npm run generate -- openapi`: writes docs/openapi.json. A test fails if it no longer matches the contract. */
import { writeFile } from "node:fs/promises";
import { openApiDocument } from "./openapi-document.ts";

await writeFile("docs/openapi.json", `${JSON.stringify(await openApiDocument(), null, 2)}\n`);
