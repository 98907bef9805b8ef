import { join } from "node:path";
import { Client } from "pg";
import { runNode } from "#tests/support/run-node.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

/** A base backup, restored into a PostgreSQL of its own. */
export async function takeBackup(url: string): Promise<ScratchPostgres> {
  // While it waits for its own promotion, pg_promote must not be canceled because of a row that the primary removed.
  const backup = await startScratchPostgres({ standbyOf: url, settings: ["max_standby_streaming_delay=-1"] });
  const client = new Client({ connectionString: backup.url });
  await client.connect();
  await client.query("select pg_promote()").finally(() => client.end());
  return backup;
}

/** A backup of version 1.0.0 must be exact for that version, and for the next one once it is migrated. */
export async function checkBackup(url: string, old: string, next: string): Promise<string[]> {
  const failures: string[] = [];
  for (const [script, command] of [
    [join(old, "operator/waitlist.ts"), "verify"],
    [join(next, "cli/waitlist.ts"), "migrate"],
    [join(next, "cli/waitlist.ts"), "verify"],
  ] as const) {
    const { code, stdout, stderr } = await runNode(script, { DATABASE_URL: url }, [command]);
    if (code !== 0) failures.push(`waitlist ${command} on the backup exited with ${code}: ${stdout}${stderr}`);
  }
  return failures;
}
