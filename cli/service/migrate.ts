import { type Command, withDatabase } from "#cli/terminal/command.ts";

export function addMigrate(program: Command): void {
  program
    .subcommand("migrate", "Update the database schema to this version")
    .notes(`
Run it as the role that owns the tables. It also grants privileges to the roles
farwatch_serve, farwatch_work, farwatch_operate and farwatch_console, if they
exist.
Safe to run again, or on two machines at the same time.`)
    .examples("")
    .action(migrateSchema);
}

const migrateSchema = withDatabase(async (db) => {
  // Imported here, because loading the migrations would slow down every other command.
  const { migrateAll } = await import("#core/service/migrate-database.ts");
  const { applied, granted } = await migrateAll(db);
  const lines = [applied.length ? `Applied ${applied.join(", ")}.` : "Nothing to apply: the schema is up to date."];
  if (granted.length) lines.push(`Granted privileges to ${granted.join(", ")}.`);
  return { text: lines.join("\n"), json: { applied, granted } };
});
