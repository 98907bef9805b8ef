import type { Command } from "commander";
import { type CommandResult, withDatabase } from "#cli/command.ts";
import type { Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";

export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("bring the schema up to this version; safe to run twice, and two at once")
    .action(withDatabase(bringUp));
}

async function bringUp(db: Database): Promise<CommandResult> {
  const applied = await migrate(db);
  const text = applied.length ? `Applied ${applied.join(", ")}` : "Nothing to apply: the schema is up to date";
  return { text, json: { applied } };
}
