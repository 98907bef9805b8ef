import fastify from "fastify";
import { addConsole } from "#console/api/app.ts";
import { createSession } from "#console/api/session.ts";
import { createKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { median } from "#tests/support/quantile.ts";
import { type Screen, screens } from "./screens.ts";

const ROUNDS = 5;

export interface ScreenResult {
  name: string;
  /** From the request to the last byte of its first data. */
  ms?: number | undefined;
  /** The same for its count. */
  countMs?: number | undefined;
  /** `select 1`, through the same server, session and pool. */
  bareMs?: number | undefined;
}

/** Medians over the rounds, after a warm-up round. */
export async function measureScreens(db: Database): Promise<ScreenResult[]> {
  const { rows } = await db.pool.query<{ middle: string }>("select max(id) / 2 as middle from sign_ups");
  const console = await startApi(db);
  const results: ScreenResult[] = [];
  for (const screen of screens(Number(rows[0]?.middle))) {
    const result = await measure(console.get, screen);
    if (result) results.push(result);
  }
  await console.stop();
  return results;
}

type Get = (path: string) => Promise<{ status: number; ms: number }>;

async function measure(get: Get, { name, data, count }: Screen): Promise<ScreenResult | undefined> {
  const [ms, countMs, bareMs] = [
    await medianOf(get, data),
    await medianOf(get, count),
    await medianOf(get, "/api/bare"),
  ];
  return ms === undefined && countMs === undefined ? undefined : { name, ms, countMs, bareMs };
}

/** Undefined without a path, and if its route doesn't exist. */
async function medianOf(get: Get, path?: string): Promise<number | undefined> {
  const times: number[] = [];
  for (let round = 0; path && round <= ROUNDS; round += 1) {
    const { status, ms } = await get(path);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`${path}: ${status}`);
    if (round > 0) times.push(ms);
  }
  return times.length > 0 ? Number(median(times).toFixed(1)) : undefined;
}

/** The console's API with a route that does nothing but reach the database. */
async function startApi(db: Database) {
  const app = fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  const session = createSession();
  let host = "";
  const keys = createKeys("the secret of a console in a benchmark");
  await addConsole(app, {
    db,
    keys,
    actor: OPERATOR,
    isReadOnly: true,
    mail: undefined,
    invitations: undefined,
    session,
    host: () => host,
  });
  app.get("/api/bare", async () => (await db.pool.query("select 1")).rows);
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  host = new URL(origin).host;
  const headers = { "sec-fetch-site": "same-origin", authorization: `Bearer ${session.exchange(session.token)}` };
  const get: Get = async (path) => {
    const startedAt = performance.now();
    const response = await fetch(origin + path, { headers });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - startedAt };
  };
  return { get, stop: () => app.close() };
}
