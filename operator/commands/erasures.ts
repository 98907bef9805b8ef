import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { type Answer, onList, WrongUsage } from "#operator/command.ts";
import { readSecret } from "#operator/secret.ts";
import { showProgress } from "#operator/terminal/progress.ts";
import { many } from "#operator/terminal/words.ts";
import type { Database } from "#server/database/connect.ts";
import { type Erasure, eraseAgain, readErasures } from "#server/waitlist/erasures.ts";
import { readTotals } from "#server/waitlist/totals.ts";

export function addErasures(program: Command): void {
  const erasures = program.command("erasures").description("after a backup was restored: erase again who was erased");
  erasures
    .command("save")
    .description("write down who was erased (hashes and times), to be kept beside the backups")
    .argument("<file>")
    .action(onList(save));
  erasures
    .command("apply")
    .description("erase again who is back; whoever joined anew since stays")
    .argument("<file>", "what was saved last before the backup was restored")
    .addHelpText("after", "\nExample:\n  npx waitlist erasures apply erasures.jsonl")
    .action(onList(apply));
}

async function save(db: Database, file: string): Promise<Answer> {
  const erasures = await readErasures(db);
  const lines = erasures.map(({ hash, erasedAt }) => JSON.stringify({ hash: hash.toString("hex"), erasedAt }));
  await writeFile(file, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  return { text: `Saved ${many(erasures.length, "erasure")}.`, json: { saved: erasures.length } };
}

async function apply(db: Database, file: string): Promise<Answer> {
  const secret = readSecret();
  const erasures = (await readFile(file, "utf8")).split("\n").filter(Boolean).map(readErasure);
  const progress = showProgress((await readTotals(db)).totalUsers);
  const erased = await eraseAgain(db, secret, erasures, (rows) => progress.advance(rows)).finally(progress.end);
  return { text: `Erased ${many(erased, "person", "people")} again.`, json: { erased } };
}

function readErasure(line: string, place: number): Erasure {
  try {
    const { hash, erasedAt } = JSON.parse(line) as { hash: string; erasedAt: string };
    if (/^[0-9a-f]{64}$/.test(hash) && Date.parse(erasedAt))
      return { hash: Buffer.from(hash, "hex"), erasedAt: new Date(erasedAt) };
  } catch {
    // Not even JSON.
  }
  throw new WrongUsage(`Line ${place + 1} is no erasure. Give a file that "waitlist erasures save" wrote`);
}
