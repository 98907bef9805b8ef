import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { type CommandResult, UsageError, withList } from "#cli/command.ts";
import { readKeys } from "#cli/keys.ts";
import { showProgress } from "#cli/terminal/progress.ts";
import { writeAtomically } from "#cli/write-atomically.ts";
import type { Database } from "#core/database/connect.ts";
import { pluralize } from "#core/format.ts";
import type { Keys } from "#core/keys.ts";
import { addressHash } from "#core/waitlist/erase.ts";
import { type Erasure, readErasures, reapplyErasures } from "#core/waitlist/erasures.ts";
import { readTotals } from "#core/waitlist/totals.ts";

export function addErasures(program: Command): void {
  const erasures = program.command("erasures").description("after a backup was restored: erase again who was erased");
  erasures
    .command("save")
    .description("write down who was erased (hashes and times), to be kept beside the backups; adds to what is there")
    .argument("<file>")
    .action(withList(save));
  erasures
    .command("apply")
    .description("erase again who is back; whoever joined anew since stays")
    .argument("<file>", "what was saved last before the backup was restored")
    .addHelpText("after", "\nExample:\n  npx waitlist erasures apply erasures.jsonl")
    .action(withList(apply));
}

async function save(db: Database, file: string): Promise<CommandResult> {
  const keys = readKeys();
  const known = [...(existsSync(file) ? await readSaved(file, keys) : []), ...(await readErasures(db))];
  // Of a person who was erased twice the later time counts, and a database that was set back has the earlier one.
  const inOrder = known.toSorted((one, other) => one.erasedAt.getTime() - other.erasedAt.getTime());
  const saved = new Map(inOrder.map(({ hash, erasedAt }) => [hash.toString("hex"), erasedAt]));
  const lines = [{ secret: keyTag(keys) }, ...[...saved].map(([hash, erasedAt]) => ({ hash, erasedAt }))];
  await writeAtomically(
    file,
    lines.map((line) => `${JSON.stringify(line)}\n`),
  );
  return { text: `Saved ${pluralize(saved.size, "erasure")}.`, json: { saved: saved.size } };
}

async function apply(db: Database, file: string): Promise<CommandResult> {
  const keys = readKeys();
  const erasures = await readSaved(file, keys);
  const progress = showProgress((await readTotals(db.pool)).totalUsers);
  const erased = await reapplyErasures(db, keys, erasures, progress.advance).finally(progress.end);
  return { text: `Erased ${pluralize(erased, "person", "people")} again.`, json: { erased } };
}

async function readSaved(file: string, keys: Keys): Promise<Erasure[]> {
  const [first = "", ...lines] = (await readFile(file, "utf8")).trimEnd().split("\n");
  // With another secret nobody would be found, and nothing would be said.
  if (readLine(first).secret !== keyTag(keys)) {
    throw new UsageError(`${file} was saved with another SECRET, or isn't what "waitlist erasures save" wrote`);
  }
  return lines.map((line) => {
    const { hash = "", erasedAt = "" } = readLine(line);
    if (!/^[0-9a-f]{64}$/.test(hash) || !Date.parse(erasedAt)) throw new UsageError(`${file}: ${line} is no erasure`);
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

/** Tells one key from another, and nothing else about either. */
function keyTag(keys: Keys): string {
  return addressHash(keys, "").toString("hex").slice(0, 16);
}
