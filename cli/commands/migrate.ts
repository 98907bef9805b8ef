import type { Command } from "commander";
import { type Answer, onDatabase } from "#cli/command.ts";
import type { Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";

export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("bring the schema up to this version; safe to run twice, and two at once")
    .action(onDatabase(bringUp));
}

async function bringUp(db: Database): Promise<Answer> {
  const applied = await migrate(db);
  const text = applied.length ? `Applied ${applied.join(", ")}` : "Nothing to apply: the schema is up to date";
  return { text, json: { applied } };
}
