import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";
import { openWaitlist } from "#core/sign-ups/join.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

const SHIPPED = (await readFile("deploy/private-log.conf", "utf8"))
  .split("\n")
  .filter((line) => /^\w/.test(line))
  .map((line) => line.replaceAll(" ", ""));

let postgres: ScratchPostgres;
let log = "";

beforeAll(async () => {
  const settings = ["log_min_duration_statement=0", ...SHIPPED];
  postgres = await startScratchPostgres({ settings, onLog: (line) => (log += `${line}\n`) });
  const db = connect(postgres.url);
  await migrate(db).finally(() => db.destroy());
}, 30_000);
afterAll(() => postgres.stop());

/** Runs `work` with these settings instead of the shipped ones. */
async function runWith(settings: string[], work: (db: Database) => Promise<unknown>): Promise<void> {
  const options = encodeURIComponent(settings.map((setting) => `-c ${setting}`).join(" "));
  const db = connect(`${postgres.url}?options=${options}`);
  await work(db).finally(() => db.destroy());
}

function signUp(db: Database, email: string, firstName = "Ada") {
  const { join: signUpOnce } = openWaitlist(db, { maxQueueLength: 10, totals: () => readTotals(db.pool) });
  return signUpOnce(aSignUp({ email, firstName }), "a".repeat(32));
}

const logsStatement = (db: Database, email: string) => signUp(db, email);
const dividesByZero = (db: Database, email: string) =>
  expect(db.pool.query("select $1::text, 1 / $2::integer", [email, 0])).rejects.toThrow("division");
const violatesUniqueIndex = async (db: Database, email: string) => {
  await signUp(db, email);
  const values = [email, "Ada", "Lovelace", false];
  const insert =
    "insert into sign_ups (email_key, email, first_name, last_name, newsletter) values ($1, $1, $2, $3, $4)";
  await expect(db.pool.query(insert, values)).rejects.toThrow("duplicate key");
};
const storesBadJson = (db: Database, email: string) =>
  expect(signUp(db, email, "Ada\u0000")).rejects.toThrow("Unicode");
const failsInPsql = (db: Database, email: string) =>
  expect(db.pool.query(`select missing from sign_ups where email = '${email}'`)).rejects.toThrow("missing");

test.each([
  // Without terse, which hides parameters too: someone who debugs may turn it off.
  ["a logged statement", "log_parameter_max_length=-1", logsStatement, ["log_error_verbosity=default"]],
  ["a failed statement", "log_parameter_max_length_on_error=-1", dividesByZero, ["log_error_verbosity=default"]],
  ["a violated unique index", "log_error_verbosity=default", violatesUniqueIndex, []],
  ["JSON that can't be stored", "log_error_verbosity=default", storesBadJson, []],
  ["a failed statement's text", "log_min_error_statement=error", failsInPsql, []],
])("PostgreSQL's log has no address from %s, and would have with %s", async (_what, loose, work, others) => {
  const [hidden, shown] = [aSignUp().email, aSignUp().email];
  await runWith(others, (db) => work(db, hidden));
  await runWith([...others, loose], (db) => work(db, shown));
  // In order, so the hidden one would be there by then.
  await vi.waitFor(() => expect(log).toContain(shown), 5000);
  expect(log).not.toContain(hidden);
});
