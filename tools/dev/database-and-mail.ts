import { parseArgs } from "node:util";
import { brand } from "#brand/brand.ts";
import { connect } from "#core/database/connect.ts";
import { migrateDatabase } from "#core/database/migrate.ts";
import { startMailCatcher } from "./mail-catcher.ts";
import type { Keep } from "./run-until-ended.ts";
import { openPostgres } from "./scratch-postgres.ts";
import { seed } from "./seed/seed.ts";

/** The same at every start, so that links keep working on a database that outlives it. */
const SECRET = "for development, and known to everyone";

/** What a site of ours runs on here: a migrated database, with the people that `--people` asks for, and a mail catcher. */
export async function openDatabaseAndMail(keep: Keep) {
  const people = askedPeople();
  const postgres = await keep(openPostgres());
  await migrateDatabase(postgres.url);
  if (people > 0) {
    const db = connect(postgres.url);
    await seed(db, people).finally(() => db.destroy());
  }
  const mail = await keep(startMailCatcher());
  return {
    /** What the servers are told about it. Mail is never sent for real, whatever the environment says. */
    env: { DATABASE_URL: postgres.url, SMTP_URL: mail.url, SECRET: process.env.SECRET ?? SECRET },
    announce(what: string, origin: string) {
      console.log(`${brand.name} (${what}): ${origin}`);
      console.log(`Its database: ${postgres.url}`);
      console.log(`Its mail: ${mail.index}`);
    },
  };
}

function askedPeople(): number {
  const { values } = parseArgs({ options: { people: { type: "string", default: "0" } } });
  const people = Number(values.people);
  if (!Number.isInteger(people) || people < 0) throw new Error(`--people takes a number, not "${values.people}"`);
  return people;
}
