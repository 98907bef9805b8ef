/** An operator's change to many people, in a process of its own: `act.ts <action> <people>`. Prints its seconds. */
import { sql } from "kysely";
import { createKeys } from "#core/config/keys.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { bringBack, previewSetAside, readSetAside, setAside } from "#core/members/set-aside.ts";
import { release } from "#core/sign-ups/quarantine.ts";
import { importPeople, previewImport } from "#core/transfer/import.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET } from "#tests/support/cli.ts";
import { BUSY_COMPANY, FLOOD } from "./list.ts";

const ACTIONS: Record<string, (db: Database, people: number) => Promise<number>> = {
  async import(db, people) {
    const rows = Array.from({ length: people }, (_, row) => {
      const company = row % 2 ? BUSY_COMPANY : `Importer ${row % 5000}`;
      return `p${row}.${Date.now()}@import.example,Ada,Lovelace,${company}\n`;
    });
    const file = `email,first name,last name,company\n${rows.join("")}`;
    const found = await previewImport(db, createKeys(SECRET), file, "Trade fair");
    if ("unreadable" in found) throw new Error(found.unreadable);
    return importPeople(db, OPERATOR, found.rows, { wording: undefined, mail: undefined });
  },
  async release(db, people) {
    const { rows } = await sql<{ id: string }>`select id from quarantine order by id limit ${people}`.execute(db);
    return (
      await release(
        db,
        OPERATOR,
        rows.map(({ id }) => id),
        undefined,
      )
    ).joined;
  },
  async "set-aside"(db) {
    const { upTo } = await previewSetAside(db, FLOOD);
    return setAside(db, OPERATOR, { filter: FLOOD, upTo, withConfirmed: false });
  },
  async "bring-back"(db) {
    const [latest] = await readSetAside(db);
    return bringBack(db, OPERATOR, latest?.id ?? "");
  },
  async invite(db, people) {
    return (await inviteNext(db, OPERATOR, {}, people)).invited;
  },
};

const [action = "", people = ""] = process.argv.slice(2);
const db = connect(process.env.DATABASE_URL ?? "");
const startedAt = performance.now();
const changed = await ACTIONS[action]?.(db, Number(people));
if (changed !== Number(people)) throw new Error(`${action} changed ${changed} people, not ${people}`);
console.log(((performance.now() - startedAt) / 1000).toFixed(1));
await db.destroy();
