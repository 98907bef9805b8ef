import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { sql } from "kysely";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { createApp } from "#server/app.ts";
import { loadSite } from "#server/http/site.ts";
import type { Check } from "#tests/drills/harness/drill.ts";
import { onPostgres, type Service, underLoad } from "#tests/drills/harness/service.ts";
import { until } from "#tests/drills/harness/until.ts";
import { exchange } from "#tests/support/exchange.ts";
import { type Request, runLoad } from "#tests/support/load.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { postSignUp } from "#tests/support/requests.ts";
import { withRouteTable } from "#tests/support/route-table.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import type { RunningServer } from "#tools/dev/running-site.ts";
import type { ScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { unlimited } from "#tools/dev/unlimited.ts";
import { malformedBytes, type Route, requestsTo, SENTINEL } from "./requests.ts";
import { tokensFor } from "./tokens.ts";

const BATCH_SIZE = 1000;
/** Cases per batch: raw bytes instead of well-formed HTTP, and sign-ups of new members. */
const RAW = 50;
const NEW_MEMBERS = 50;
/** Half of the generated requests are sign-ups. A file gets fewer than a member page, because it rarely fails. */
const weightOf = ({ url }: Route) => (url === WAITLIST_PATH ? 100 : url.includes(":token") ? 8 : 1);
/** Maximum growth of memory in use after garbage collection, in the second half. RSS would include V8's unused heap. */
const MAX_GROWTH_MB = 5;

const SECRET = "an example secret of 32 characters";
const keys = createKeys(SECRET);
const foreignKeys = createKeys("another example secret of 32 characters");

export const fuzzing = underLoad<ScratchPostgres>({
  breaks: "malformed requests to every route",
  shows: "no 5xx, no crash, no leak, and no personal data in the log",
  ...onPostgres,
  wrappers: [[]],
  clients: { count: 1, perSecond: 10 },
  // Mail and invitations are on, because they add routes. Nothing sends the mail.
  env: {
    SECRET,
    PUBLIC_ORIGIN: "https://farwatch.test",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_WORKER: "apart",
    INVITE_URL: "https://app.farwatch.test/join",
    INVITE_KEYS: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    LOG_LEVEL: "trace",
    NODE_OPTIONS: `--expose-gc --import=${new URL("report-memory.ts", import.meta.url)}`,
  },
  // Fills the rate limiters' maps early, because they would otherwise grow all through the drill.
  changes: [["server/limits/rate-limits.ts", "MAX_TRACKED_KEYS = 20_000", "MAX_TRACKED_KEYS = 100"]],
  times: { short: 20_000, full: 1_000_000 },
  scenario: fuzz,
  controls: [
    {
      without: "the rule against control characters",
      finds: /^statuses above 499: 500/,
      changes: [["contract/sign-up.ts", "/^[^\\p{Cc}\\p{Cs}]*$/u", "/^/u"]],
    },
    {
      without: "silence about requests",
      finds: /^the log has personal data/,
      changes: [["server/app.ts", "disableRequestLogging: true", "disableRequestLogging: false"]],
    },
    {
      without: "an end to requests",
      finds: /^memory grew/,
      changes: [
        [
          "server/app.ts",
          "genReqId: createRequestId(trustProxy)",
          "genReqId: (raw) => String((globalThis.kept ??= []).push(raw))",
        ],
      ],
    },
  ],
});

async function fuzz(service: Service<ScratchPostgres>, cases: number): Promise<void> {
  const { postgres, servers, origin, keep, check, figures } = service;
  const [server] = servers;
  if (!server) throw new Error("There is no server");
  const db = connect(postgres.url);
  await keep({ stop: () => db.destroy() });
  const routes = await readRoutes(db);
  const port = Number(new URL(origin).port);
  /** The number of responses by status; 0 is a connection closed without a response, as for invalid HTTP. */
  const statuses = new Map<number, number>();
  /** The statuses by route, such as "POST /path". */
  const byRoute = new Map<string, Set<number>>();
  const count = (status: number, times = 1) => statuses.set(status, (statuses.get(status) ?? 0) + times);

  async function sendAll(requests: Request[]): Promise<void> {
    const result = await runLoad({ ports: [port], connections: 16, next: () => requests.pop() });
    for (const [status, times] of result.statuses) count(status, times);
  }
  const newMembers = () => Array.from({ length: NEW_MEMBERS }, () => ({ wire: postSignUp(aSignUp()) }));
  // Excludes the clients' own sign-ups, because any that a token erased would count as lost.
  const newestMembers = () =>
    db
      .selectFrom("sign_ups")
      .select(["id", "email_key"])
      .where(sql<boolean>`email_key not like 'visitor%'`)
      .orderBy("id", "desc")
      .limit(NEW_MEMBERS)
      .execute();

  async function runBatches(cases: number): Promise<void> {
    for (let done = 0; done < cases; done += BATCH_SIZE) {
      const tokens = tokensFor(await newestMembers(), keys, foreignKeys);
      const anyRequest = fc.oneof(
        ...routes.map((route) => ({ weight: weightOf(route), arbitrary: requestsTo(route, tokens) })),
      );
      const requests = fc
        .sample(anyRequest, BATCH_SIZE - RAW - NEW_MEMBERS)
        .map(({ route: { method, url }, wire }) => ({
          wire,
          hasNoBody: wire.startsWith("HEAD "),
          onResponse(status: number) {
            const name = `${method} ${url}`;
            if (wire.startsWith(`${method} `)) byRoute.set(name, (byRoute.get(name) ?? new Set()).add(status));
          },
        }));
      await sendAll([...newMembers(), ...requests]);
      const malformed = fc.sample(malformedBytes(anyRequest.map(({ wire }) => wire)), RAW);
      await Promise.all(malformed.map(async (bytes) => count(await statusOf(origin, bytes))));
    }
  }

  await sendAll(newMembers());
  await runBatches(cases / 2);
  const half = await memoryOf(server);
  await runBatches(cases / 2);
  const end = await memoryOf(server);
  const grownMb = end.usedMb - half.usedMb;
  check(grownMb < MAX_GROWTH_MB, `memory grew by ${grownMb} MB`);

  const faults = [...statuses.keys()].filter((status) => status >= 500);
  check(faults.length === 0, `statuses above 499: ${faults}`);
  // These statuses show that the requests cover acceptance and each kind of rejection.
  const unseen = [200, 201, 303, 400, 404, 405, 413, 415].filter((status) => !statuses.get(status));
  check(unseen.length === 0, `no request got ${unseen}`);
  // A route that only ever responds 404 or 405 was never reached.
  const misses = new Set([404, 405]);
  const unreached = routes.filter(({ method, url }) => !byRoute.get(`${method} ${url}`)?.difference(misses).size);
  check(unreached.length === 0, `never reached: ${JSON.stringify(unreached)}`);
  checkLog(server.log(), check);
  Object.assign(figures, { half, end, ...Object.fromEntries(statuses) });
}

/** All routes of the app, including member pages and the built site's files. */
async function readRoutes(db: Database): Promise<Route[]> {
  const invitations = { url: "https://app.example", issuer: "https://list.example", lifetimeDays: 30, keys };
  const parts = { db, ...unlimited, keys, invitations, mail: MAIL_ON, site: loadSite("dist") };
  const { app, routes } = await withRouteTable(() => createApp(parts));
  await app.close();
  return routes.flatMap(({ method, url }) => [method].flat().map((each) => ({ method: each, url })));
}

function checkLog(log: string, check: Check): void {
  const lines = log.split("\n").filter((line) => !line.includes("Server listening at"));
  const errors = lines.filter((line) => line.includes('"level":50'));
  check(errors.length === 0, `the log has errors: ${errors.slice(0, 3)}`);
  const personal = new RegExp(`${SENTINEL}|lovelace|example\\.com|127\\.0\\.0\\.1|${MEMBERSHIP_PATH}/`, "i");
  const leaks = lines.filter((line) => personal.test(line));
  check(leaks.length === 0, `the log has personal data: ${leaks.slice(0, 3)}`);
}

/** The status of the response to raw bytes, or 0 if there is none. */
async function statusOf(origin: string, bytes: string): Promise<number> {
  const received = await exchange(origin, bytes, { isHalfClosed: true, timeoutMs: 1000 });
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}

async function memoryOf({ pid, log }: RunningServer): Promise<{ usedMb: number; residentMb: number }> {
  const reports = () => log().match(/^memory .+$/gm) ?? [];
  const before = reports().length;
  process.kill(pid, "SIGUSR2");
  await until("the server reports its memory", () => reports().length > before);
  return JSON.parse(reports().at(-1)?.replace("memory ", "") ?? "");
}
