import type { Command } from "commander";
import { readConfig } from "#core/config.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { missingMigrations } from "#core/database/migrate.ts";

/** What a command has to say: to people as text, to programs as JSON. */
export interface Answer {
  text: string;
  json: unknown;
  /** False where something was looked for and isn't so: nobody by that name, a total that is wrong. */
  isGood?: boolean;
}

/** Exit codes, as the help says them. */
export const EXIT = { good: 0, notGood: 1, wrongUsage: 2, outOfReach: 3, fault: 4, interrupted: 130 };

/** Something to be said differently, with a word on how. */
export class WrongUsage extends Error {}

/** Gets the command's arguments and then its options, those of the whole program among them. */
type Work<Args extends unknown[]> = (db: Database, ...args: Args) => Promise<Answer | undefined>;

/** An action of commander's for work on a database whose schema is that of this code. */
export function onList<Args extends unknown[]>(work: Work<Args>) {
  return onDatabase<Args>(async (db, ...args) => {
    const missing = await missingMigrations(db);
    if (missing.length) throw new WrongUsage(`The schema lacks ${missing.join(", ")}. Run: npx waitlist migrate`);
    return work(db, ...args);
  });
}

/** The same for work on a database of any age. */
export function onDatabase<Args extends unknown[]>(work: Work<Args>) {
  return async (...given: unknown[]): Promise<void> => {
    const options = (given.at(-1) as Command).optsWithGlobals<{ json?: boolean }>();
    const db = connect(readConfig().DATABASE_URL);
    try {
      const answer = await work(db, ...([...given.slice(0, -2), options] as Args));
      if (!answer) return;
      console.log(options.json ? JSON.stringify(answer.json, null, 2) : answer.text);
      process.exitCode = answer.isGood === false ? EXIT.notGood : EXIT.good;
    } finally {
      await db.destroy();
    }
  };
}
