/** `npm run generate [names]`: regenerates the committed files that are made from code: all, or only those named. */
const GENERATORS: Record<string, () => Promise<unknown>> = {
  brand: () => import("./brand-files.ts"),
  openapi: () => import("./openapi.ts"),
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
