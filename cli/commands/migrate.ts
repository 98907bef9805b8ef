import type { Command } from "commander";
import { type CommandResult, withDatabase } from "#cli/command.ts";
import type { Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";

export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("Update the database schema to this version")
    .addHelpText(
      "after",
      `
Safe to run again, or on two machines at the same time.

Example:
  npx waitlist migrate`,
    )
    .action(withDatabase(migrateSchema));
}

async function migrateSchema(db: Database): Promise<CommandResult> {
  const applied = await migrate(db);
  const text = applied.length ? `Applied ${applied.join(", ")}.` : "Nothing to apply: the schema is up to date.";
  return { text, json: { applied } };
}
