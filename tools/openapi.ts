/** `npm run generate -- openapi`: writes the API's description. A test fails when the file and the contract drift apart. */
import { writeFile } from "node:fs/promises";
import { openApiDocument } from "./openapi-document.ts";

await writeFile("docs/openapi.json", `${JSON.stringify(await openApiDocument(), null, 2)}\n`);
