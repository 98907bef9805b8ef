import { parseArgs } from "node:util";
import { brand } from "#brand/brand.ts";
import { StartupError } from "#core/config/startup-error.ts";
import { connect } from "#core/database/connect.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { startMailCatcher } from "./mail-catcher.ts";
import type { StopOnExit } from "./run-until-exit.ts";
import { openPostgres } from "./scratch-postgres.ts";
import { seed } from "./seed/seed.ts";

/** The same at every start, so that members' links keep working if the database outlives the process. */
const SECRET = "for development, and known to everyone";

export async function openDatabaseAndMail(stopOnExit: StopOnExit) {
  const people = peopleOption();
  const postgres = await stopOnExit(openPostgres());
  await migrateDatabase(postgres.url);
  if (people > 0) {
    const db = connect(postgres.url);
    await seed(db, people).finally(() => db.destroy());
  }
  const mail = await stopOnExit(startMailCatcher());
  return {
    /** The servers' settings. SMTP_URL is always the mail catcher, so that no real mail is sent. */
    env: { DATABASE_URL: postgres.url, SMTP_URL: mail.url, SECRET: process.env.SECRET ?? SECRET },
    announce(what: string, origin: string) {
      console.log(`${brand.name} (${what}): ${origin}`);
      console.log(`Its database: ${postgres.url}`);
      console.log(`Its mail: ${mail.index}`);
    },
  };
}

function peopleOption(): number {
  const { values } = parseArgs({ options: { people: { type: "string", default: "0" } } });
  const people = Number(values.people);
  if (!Number.isInteger(people) || people < 0)
    throw new StartupError(`--people takes a number, not "${values.people}".`);
  return people;
}
