import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { Cluster } from "./cluster.ts";
import type { PatroniNode } from "./node.ts";

interface Acknowledged {
  id: string;
  startedAt: number;
  endedAt: number;
  /** Counts the promotions that led to this primary. */
  timeline: number;
}

export interface DirectWrites {
  stop(): Promise<{
    /** Acknowledged, but not in the database. */
    lost: number;
    /** Acknowledged by an old primary after its successor had acknowledged another. */
    stale: number;
  }>;
}

const TIMEOUT_MS = 1500;
const INTERVAL_MS = 100;

/** Writes to every machine all the time, past HAProxy: two primaries that both acknowledge can't hide behind it. */
export async function startDirectWrites(cluster: Cluster): Promise<DirectWrites> {
  await query(cluster.url, "create schema probe create table writes (id text primary key)");
  const acknowledged: Acknowledged[] = [];
  let isStopping = false;

  async function writeTo(node: PatroniNode): Promise<void> {
    for (let count = 0; !isStopping; await pause(INTERVAL_MS)) {
      const client = new Client({
        connectionString: cluster.directUrl(node),
        connectionTimeoutMillis: TIMEOUT_MS,
        query_timeout: TIMEOUT_MS,
      });
      client.on("error", () => {});
      // A canceled wait for the standby is a success with a warning, which the service doesn't acknowledge either.
      let isWarned = false;
      client.on("notice", () => {
        isWarned = true;
      });
      try {
        await client.connect();
        for (; !isStopping; await pause(INTERVAL_MS)) {
          count += 1;
          const id = `${node.name} ${count}`;
          const startedAt = performance.now();
          const { rows } = await client.query<{ timeline: string }>(
            `insert into probe.writes values ($1)
            returning left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`,
            [id],
          );
          const timeline = Number.parseInt(rows[0]?.timeline ?? "", 16);
          if (!isWarned) acknowledged.push({ id, startedAt, endedAt: performance.now(), timeline });
        }
      } catch {
        // A standby, or a machine that is dead or frozen.
      }
      client.end().catch(() => {});
    }
  }

  const writers = Promise.all(cluster.nodes.map(writeTo));
  return {
    async stop() {
      isStopping = true;
      await writers;
      const stored = new Set((await query(cluster.url, "select id from probe.writes")).map(({ id }) => id));
      return {
        lost: acknowledged.filter(({ id }) => !stored.has(id)).length,
        stale: countStale(acknowledged),
      };
    },
  };
}

/** Writes that started after one with a higher timeline had been acknowledged. */
function countStale(acknowledged: Acknowledged[]): number {
  return acknowledged.filter((write) =>
    acknowledged.some(({ endedAt, timeline }) => endedAt < write.startedAt && timeline > write.timeline),
  ).length;
}

async function query(url: string, statement: string): Promise<{ id: string }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rows;
}
