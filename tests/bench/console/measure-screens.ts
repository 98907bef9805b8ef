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
  /** From the request to the last byte, all paths of the screen together. */
  ms: number;
  /** As many times `select 1`, through the same server, session and pool. */
  bareMs: number;
}

/** Medians over the rounds, after one that fills the caches. */
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

async function measure(get: Get, { name, paths }: Screen): Promise<ScreenResult | undefined> {
  const [times, bareTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    let [total, bare] = [0, 0];
    for (const path of paths) {
      bare += (await get("/api/bare")).ms;
      const { status, ms } = await get(path);
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`${path}: ${status}`);
      total += ms;
    }
    if (round > 0) times.push(total);
    if (round > 0) bareTimes.push(bare);
  }
  return { name, ms: rounded(median(times)), bareMs: rounded(median(bareTimes)) };
}

function rounded(ms: number): number {
  return Number(ms.toFixed(1));
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
