import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { createKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { exchange } from "#tests/support/exchange.ts";
import { type Request, runLoad } from "#tests/support/load.ts";
import { postSignUp } from "#tests/support/requests.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { anyBytes, anyRequest } from "./cases.ts";
import { type Route, requestsTo } from "./route-cases.ts";
import { tokensFor } from "./tokens.ts";

export interface Fuzzed {
  /** How many responses had each status; 0 stands for a connection closed without one, as invalid HTTP may be. */
  statuses: Map<number, number>;
  /** The statuses of each route, such as "POST /path", and of each of its content types, "POST /path text/plain". */
  byRoute: Map<string, Set<number>>;
  /** How much the server's resident memory grew, in MB, after time for garbage collection. */
  grownMb: number;
  /** The server's whole log. */
  log: string;
}

/** Cases are generated in batches of this size. */
const BATCH_SIZE = 1000;
/** Of a batch: raw bytes rather than well-formed HTTP, sign-ups of members-to-be, and requests to any of the routes. */
const RAW = 50;
const NEW_MEMBERS = 50;
const TO_ROUTES = 450;
/** Member pages have more to go wrong than files in memory. */
const MEMBER_PAGE_WEIGHT = 8;

const SECRET = "an example secret of 32 characters";
const keys = createKeys(SECRET);
const foreignKeys = createKeys("another example secret of 32 characters");

const inviteKey = generateKeyPairSync("ed25519").privateKey;
/** Mail and invitations are on, because they have routes of their own. Nothing sends the mail. */
const WITH_EVERYTHING = {
  PUBLIC_ORIGIN: "https://farwatch.test",
  SMTP_URL: "smtp://127.0.0.1:1",
  MAIL_WORKER: "apart",
  INVITE_URL: "https://app.farwatch.test/join",
  INVITE_KEYS: inviteKey.export({ type: "pkcs8", format: "pem" }).toString(),
};

/** Sends malformed requests to a real server. Rejects if the server crashes. */
export async function fuzz(db: Database, databaseUrl: string, routes: Route[], cases: number): Promise<Fuzzed> {
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    SECRET,
    ...WITH_EVERYTHING,
    LOG_LEVEL: "trace",
    // A fixed young generation: V8 would enlarge it under load by more than the leak that is looked for.
    NODE_OPTIONS: "--max-semi-space-size=2",
    LIMIT_PER_CLIENT: "1000000000",
    LIMIT_PER_ADDRESS: "1000000000",
  });
  const port = Number(new URL(server.origin).port);
  const statuses = new Map<number, number>();
  const byRoute = new Map<string, Set<number>>();
  const count = (status: number, times = 1) => statuses.set(status, (statuses.get(status) ?? 0) + times);

  async function send(requests: Request[]): Promise<void> {
    const result = await runLoad({ ports: [port], connections: 16, next: () => requests.pop() });
    for (const [status, times] of result.statuses) count(status, times);
  }

  const newMembers = () => Array.from({ length: NEW_MEMBERS }, () => ({ wire: postSignUp(aSignUp()) }));
  const newestMembers = () =>
    db.selectFrom("sign_ups").select(["id", "email_key"]).orderBy("id", "desc").limit(NEW_MEMBERS).execute();

  async function requestsToRoutes(): Promise<Request[]> {
    const tokens = tokensFor(await newestMembers(), keys, foreignKeys);
    const anyRoute = fc.oneof(
      ...routes.map((route) => ({
        weight: route.url.includes(":token") ? MEMBER_PAGE_WEIGHT : 1,
        arbitrary: requestsTo(route, tokens),
      })),
    );
    return fc.sample(anyRoute, TO_ROUTES).map(({ route: { method, url }, type, wire }) => ({
      wire,
      hasNoBody: wire.startsWith("HEAD "),
      onResponse(status) {
        if (!wire.startsWith(`${method} `)) return;
        for (const name of [`${method} ${url}`, `${method} ${url} ${type}`]) {
          byRoute.set(name, (byRoute.get(name) ?? new Set()).add(status));
        }
      },
    }));
  }

  async function runBatch(): Promise<void> {
    const signUps = fc.sample(anyRequest, BATCH_SIZE - RAW - NEW_MEMBERS - TO_ROUTES).map((wire) => ({ wire }));
    await send([...newMembers(), ...signUps, ...(await requestsToRoutes())]);
    await Promise.all(fc.sample(anyBytes, RAW).map(async (bytes) => count(await statusOf(server.origin, bytes))));
  }

  try {
    await send(newMembers());
    // Warm up first: V8 grows its heap until collections are rare, which is not a leak.
    const warmUp = Math.max(10_000, cases / 10);
    for (let done = 0; done < warmUp; done += BATCH_SIZE) await runBatch();
    const before = residentMb(server.pid);
    for (let done = warmUp; done < cases; done += BATCH_SIZE) await runBatch();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    return { statuses, byRoute, grownMb: residentMb(server.pid) - before, log: server.log() };
  } finally {
    await server.stop();
  }
}

/** The status of the response to raw bytes, or 0 if there is none. */
async function statusOf(origin: string, bytes: string): Promise<number> {
  const received = await exchange(origin, bytes, { isHalfClosed: true, timeoutMs: 1000 });
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
