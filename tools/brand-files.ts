/** `npm run generate -- brand`: writes what is made from brand/ and must be a file. A test fails when one is out of date. */
import { writeFile } from "node:fs/promises";
import { iconSvg } from "#brand/icon.ts";
import { themeStyle } from "#brand/style.ts";

await writeFile("brand/tokens.css", themeStyle());
await writeFile("site/public/icon.svg", iconSvg());
