import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { readKeys } from "#cli/terminal/settings.ts";
import { writeAtomically } from "#cli/terminal/write-atomically.ts";
import { readConfig } from "#core/config/config.ts";
import type { Keys } from "#core/config/keys.ts";
import { addressHash } from "#core/retention/erase.ts";
import { type Erasure, readErasures, reapplyErasures } from "#core/retention/erasures.ts";
import { pluralize } from "#core/text/format.ts";

export function addErasures(program: Command): void {
  const erasures = program
    .subcommand("erasures", "Erase people again after you restore a backup")
    .notes(`
Restoring a backup brings back people who were erased after it was taken. Save
the erasures with every backup, and apply them after every restore.`)
    .examples("save /backups/erasures.jsonl", "apply /backups/erasures.jsonl");
  erasures
    .subcommand("save", "Save all erasures to a file, to keep with your backups")
    .argument("<file>", "File to create or add to")
    .notes(`
The file contains hashes and times, but no addresses. With BACKUP_DAYS set,
erasures older than that are left out: no backup can bring those people back.`)
    .examples("/backups/erasures.jsonl")
    .action(save);
  erasures
    .subcommand("apply", "Erase people whom a restored backup brought back")
    .argument("<file>", "File from the last `erasures save` before the restore")
    .notes(`
Anyone who joined again after being erased stays on the list.`)
    .examples("/backups/erasures.jsonl")
    .action(apply);
}

const MS_PER_DAY = 86_400_000;

const save = withMigratedDatabase(async (db, file: string) => {
  const keys = readKeys();
  const { BACKUP_DAYS = Number.POSITIVE_INFINITY } = readConfig();
  const oldest = Date.now() - BACKUP_DAYS * MS_PER_DAY;
  const known = [...(existsSync(file) ? await readSaved(file, keys) : []), ...(await readErasures(db))]
    // Drops old erasures from the file, as "waitlist purge" does from the table.
    .filter(({ erasedAt }) => erasedAt.getTime() >= oldest);
  // Keeps a person's latest erasure, because a restored database may have an earlier one than the file.
  const byTime = known.toSorted((one, other) => one.erasedAt.getTime() - other.erasedAt.getTime());
  const saved = new Map(byTime.map(({ hash, erasedAt }) => [hash.toString("hex"), erasedAt]));
  const lines = [{ secret: keyTag(keys) }, ...[...saved].map(([hash, erasedAt]) => ({ hash, erasedAt }))];
  await writeAtomically(
    file,
    lines.map((line) => `${JSON.stringify(line)}\n`),
  );
  return { text: `Saved ${pluralize(saved.size, "erasure")}.`, json: { saved: saved.size } };
});

const apply = withMigratedDatabase(async (db, file: string) => {
  const keys = readKeys();
  const erasures = await readSaved(file, keys);
  const erased = await reapplyErasures(db, commandLineActor(), keys, erasures);
  const text = erased ? `Erased ${pluralize(erased, "person", "people")} again.` : "Nobody had to be erased again.";
  return { text, json: { erased } };
});

async function readSaved(file: string, keys: Keys): Promise<Erasure[]> {
  const [first = "", ...lines] = (await readFile(file, "utf8")).trimEnd().split("\n");
  // With a different key no hash would match, and `apply` would silently erase nobody.
  if (readLine(first).secret !== keyTag(keys)) {
    throw new UsageError(`${file} was saved with a different SECRET, or not by "waitlist erasures save".`);
  }
  return lines.map((line) => {
    const { hash = "", erasedAt = "" } = readLine(line);
    if (!/^[0-9a-f]{64}$/.test(hash) || !Date.parse(erasedAt))
      throw new UsageError(`${file} has a line that isn't an erasure: ${line}`);
    return { hash: Buffer.from(hash, "hex"), erasedAt: new Date(erasedAt) };
  });
}

function readLine(line: string): Record<string, string> {
  try {
    return JSON.parse(line) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Identifies the key without revealing it. */
function keyTag(keys: Keys): string {
  return addressHash(keys, "").toString("hex").slice(0, 16);
}
