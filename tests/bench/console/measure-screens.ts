import fastify from "fastify";
import { addConsole } from "#console/api/app.ts";
import { createSession } from "#console/http/session.ts";
import { createKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { median } from "#tests/support/quantile.ts";
import { screens } from "./screens.ts";

const ROUNDS = 5;

/** Median milliseconds, after a warm-up, to fetch each screen's first data and, separately, its count. */
export async function measureScreens(db: Database) {
  const { rows } = await db.pool.query<{ middle: string }>("select max(id) / 2 as middle from sign_ups");
  const { request, stop } = await startApi(db);

  async function medianOf(path: string | undefined): Promise<number | undefined> {
    if (!path) return undefined;
    await request(path);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      await request(path);
      times.push(performance.now() - startedAt);
    }
    return Number(median(times).toFixed(1));
  }

  const results = [];
  for (const { name, data, count } of screens(Number(rows[0]?.middle)))
    results.push({ name, ms: await medianOf(data), countMs: await medianOf(count) });
  await stop();
  return results;
}

async function startApi(db: Database) {
  const app = fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  const session = createSession({ actor: OPERATOR, role: "read-only" });
  let host = "";
  const keys = createKeys("the secret of a console in a benchmark");
  const none = { mail: undefined, invitations: undefined };
  await addConsole(app, { db, keys, ...none, access: session, host: () => host });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  host = new URL(origin).host;
  const headers = { "sec-fetch-site": "same-origin", authorization: `Bearer ${session.exchange(session.token)}` };
  return {
    async request(path: string) {
      const response = await fetch(origin + path, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
    },
    stop: () => app.close(),
  };
}
