import { globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Control } from "#tests/drills/faults/drill.ts";
import { copyOfThisVersion, type Release } from "#tests/support/release.ts";
import { ON_NEW_SCHEMA, runUpgrade } from "./run-upgrade.ts";

/** A version that renames a column which 1.0.0 writes. It works by itself. */
function releaseThatRenames(before: string, after: string): Release {
  const release = copyOfThisVersion();
  symlinkSync(resolve("dist"), join(release.folder, "dist"));
  for (const path of globSync(join(release.folder, "core/{waitlist,members}/**/*.ts")))
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(before, after));
  const list = join(release.folder, "core/database/migrate.ts");
  const rename = `sql\`alter table sign_ups rename column ${before} to ${after}\`.execute(db)`;
  const source = readFileSync(list, "utf8").replace(
    "Record<string, Migration> = {",
    (start) => `${start} "9999-rename": { up: async (db) => { await ${rename}; } },`,
  );
  writeFileSync(list, `import { sql } from "kysely";\n${source}`);
  return release;
}

/** Migrations only add, so that the previous version runs on the new schema. */
export const renamedColumn: Control = {
  without: "migrations that only add",
  async run() {
    const release = releaseThatRenames("idempotency_key", "request_key");
    return runUpgrade({ people: 1000, seconds: 3, perSecond: 10, next: release.folder }).finally(() =>
      release.remove(),
    );
  },
  finds: new RegExp(`sign-ups failed in the phase "${ON_NEW_SCHEMA}"`),
};
