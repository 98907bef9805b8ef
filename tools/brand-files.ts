/** `npm run generate -- brand`: writes the files generated from brand/. A test fails if one is out of date. */
import { writeFile } from "node:fs/promises";
import { iconSvg } from "#brand/icon.ts";
import { themeStyle } from "#brand/style.ts";

await writeFile("brand/tokens.css", themeStyle());
await writeFile("site/public/icon.svg", iconSvg());
