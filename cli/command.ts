import type { Command } from "commander";
import { readConfig } from "#core/config.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { missingMigrations } from "#core/database/migrate.ts";

/** What a command has to say: to people as text, to programs as JSON. */
export interface CommandResult {
  text: string;
  json: unknown;
  /** False where something was looked for and isn't so: nobody by that name, a total that is wrong. */
  isOk?: boolean;
}

/** Exit codes, as the help says them. */
export const EXIT = { ok: 0, negative: 1, usage: 2, unreachable: 3, internal: 4, interrupted: 130 };

/** Something to be said differently, with a word on how. */
export class UsageError extends Error {}

/** Gets the command's arguments and then its options, those of the whole program among them. */
type Work<Args extends unknown[]> = (db: Database, ...args: Args) => Promise<CommandResult | undefined>;

/** An action of commander's for work on a database whose schema is that of this code. */
export function withList<Args extends unknown[]>(work: Work<Args>) {
  return withDatabase<Args>(async (db, ...args) => {
    const missing = await missingMigrations(db);
    if (missing.length) throw new UsageError(`The schema lacks ${missing.join(", ")}. Run: npx waitlist migrate`);
    return work(db, ...args);
  });
}

/** The same for work on a database of any age. */
export function withDatabase<Args extends unknown[]>(work: Work<Args>) {
  return async (...given: unknown[]): Promise<void> => {
    const options = (given.at(-1) as Command).optsWithGlobals<{ json?: boolean }>();
    const db = connect(readConfig().DATABASE_URL);
    try {
      const result = await work(db, ...([...given.slice(0, -2), options] as Args));
      if (!result) return;
      console.log(options.json ? JSON.stringify(result.json, null, 2) : result.text);
      process.exitCode = result.isOk === false ? EXIT.negative : EXIT.ok;
    } finally {
      await db.destroy();
    }
  };
}
