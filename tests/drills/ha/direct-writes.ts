import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { executeOn } from "#tests/drills/harness/execute.ts";

const TIMEOUTS = { connectionTimeoutMillis: 1500, query_timeout: 1500 };
const INTERVAL_MS = 100;

/** Writes to every machine directly and continuously, because HAProxy would hide a second primary. */
export async function startDirectWrites(primaryUrl: string, urls: string[]) {
  await executeOn(primaryUrl, "create schema probe create table writes (id text primary key)");
  const acknowledged = new Set<string>();
  let isStopping = false;

  async function writeTo(url: string): Promise<void> {
    for (let count = 0; !isStopping; await pause(INTERVAL_MS)) {
      const client = new Client({ connectionString: url, ...TIMEOUTS }).on("error", () => {});
      // If the wait for the standby is canceled, a commit succeeds with a warning. The service wouldn't acknowledge it.
      let isWarned = false;
      client.on("notice", () => {
        isWarned = true;
      });
      try {
        await client.connect();
        for (; !isStopping; await pause(INTERVAL_MS)) {
          count += 1;
          const id = `${url} ${count}`;
          await client.query("insert into probe.writes values ($1)", [id]);
          if (!isWarned) acknowledged.add(id);
        }
      } catch {
        // The machine is a standby, dead or frozen.
      }
      client.end().catch(() => {});
    }
  }
  const writing = Promise.all(urls.map(writeTo));
  return {
    acknowledged,
    async stop() {
      isStopping = true;
      await writing;
    },
  };
}
