import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { executeOn } from "#tests/drills/harness/execute.ts";

const TIMEOUTS = { connectionTimeoutMillis: 1500, query_timeout: 1500 };
const INTERVAL_MS = 100;

/** Writes to every machine all the time, past HAProxy: two primaries that both acknowledge can't hide behind it. */
export async function startDirectWrites(primaryUrl: string, urls: string[]) {
  await executeOn(primaryUrl, "create schema probe create table writes (id text primary key)");
  const acknowledged = new Set<string>();
  let isStopping = false;

  async function writeTo(url: string): Promise<void> {
    for (let count = 0; !isStopping; await pause(INTERVAL_MS)) {
      const client = new Client({ connectionString: url, ...TIMEOUTS }).on("error", () => {});
      // A canceled wait for the standby is a success with a warning, which the service doesn't acknowledge either.
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
        // A standby, or a machine that is dead or frozen.
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
