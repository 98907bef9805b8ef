import { readFile } from "node:fs/promises";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, negative, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import { readKeys } from "#cli/terminal/settings.ts";
import { formatKeyValueList } from "#cli/terminal/table.ts";
import { readMail } from "#core/mail/switch.ts";
import { decodeText } from "#core/text/decode-text.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";
import { importPeople, previewImport } from "#core/transfer/import.ts";

export function addImport(program: Command): void {
  program
    .subcommand("import", "Put people from a CSV file on the list, and ask them to confirm")
    .argument("<file>", "CSV file with columns like email, first name, last name, company")
    .requiredOption("--source <name>", "Where they gave you their address, such as a trade fair")
    .option("--wording <file>", "Text file with the words by which they agreed to product news")
    .option("--dry-run", "Say what would happen with each row, without doing it")
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
New people get only the confirmation email until they confirm, then product news
if they agreed to a wording. Nobody on the list is changed or mailed, and nobody
comes back who was erased within BACKUP_DAYS. If interrupted, run it again.`)
    .examples('people.csv --source "Trade fair 2026" --dry-run')
    .action(importFile);
}

type Options = { source: string; wording?: string; dryRun?: boolean; yes?: boolean };

const importFile = withMigratedDatabase(async (db, file: string, { source, wording, dryRun, yes }: Options) => {
  const agreed = wording && decodeText(await readFile(wording)).trim();
  if (agreed === "") throw new UsageError(`${wording} is empty.`);
  const found = await previewImport(db, readKeys(), decodeText(await readFile(file)), source);
  if ("unreadable" in found) throw new UsageError(`Can't read ${file}: ${found.unreadable}.`);
  const { rows } = found;
  const counts = Object.entries(Object.groupBy(rows, ({ finding }) => finding));
  const table = formatKeyValueList(Object.fromEntries(counts.map(([name, of]) => [name, formatNumber(of.length)])));
  if (dryRun) {
    const lines = rows.map(({ row, finding, text }) => `${row}\t${finding}\t${escapeInvisible(text)}`);
    return { text: [...lines, "", table].join("\n"), json: rows.map(({ signUp, answers, ...row }) => row) };
  }
  if (!(await confirm("Import the new ones?", yes, table))) return negative("Canceled.", {});
  const mail = await readMail(db);
  const imported = await importPeople(db, commandLineActor(), rows, { wording: agreed, mail });
  const next = mail ? "They will be asked to confirm." : "Mail is off, so they aren't asked to confirm.";
  return { text: `Imported ${pluralize(imported, "person", "people")}. ${next}`, json: { imported } };
});
