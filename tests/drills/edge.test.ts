import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { pageOf, SECRET } from "#tests/support/members.ts";
import { type Nginx, startNginx } from "#tests/support/nginx.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
const cacheFolder = mkdtempSync(join(tmpdir(), "farwatch-cache-"));
let server: RunningServer;
let nginx: Nginx;
let start: () => Promise<RunningServer>;
beforeAll(async () => {
  const env = { DATABASE_URL: context.url, PORT: String(await freePort()), SECRET };
  start = () => startServer(env);
  server = await start();
  // Caches every path according to our headers, like a CDN.
  nginx = await startNginx([server.origin], (config) =>
    config
      .replace("user www-data;", "user root;")
      .replace("http {", `http { proxy_cache_path ${cacheFolder} keys_zone=edge:1m;`)
      .replace(
        "proxy_pass http://servers;",
        `proxy_pass http://servers; proxy_cache edge; proxy_cache_key $uri; proxy_cache_background_update on;
         add_header X-Cache $upstream_cache_status always;`,
      ),
  );
});
afterAll(async () => {
  await nginx.stop();
  await server.stop();
  rmSync(cacheFolder, { recursive: true });
});

/** Returns an outcome such as "200 HIT", and the body. */
async function send(path: string, options?: RequestInit): Promise<[outcome: string, body: string]> {
  const response = await fetch(nginx.origin + path, options);
  return [`${response.status} ${response.headers.get("x-cache")}`, await response.text()];
}

const signUpWith = (signUp = aSignUp()) =>
  send(WAITLIST_PATH, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(signUp),
  });

test("a shared cache serves page and stats for a second, and then stale ones while it revalidates", async () => {
  const paths = ["/", STATS_PATH];
  const outcomes = () => Promise.all(paths.map(async (path) => (await send(path))[0]));
  await outcomes();
  expect(await outcomes()).toEqual(["200 HIT", "200 HIT"]);
  await pause(2000);
  expect(await outcomes()).toEqual(["200 STALE", "200 STALE"]);
  await expect.poll(outcomes, { timeout: 1000 }).toEqual(["200 HIT", "200 HIT"]);
});

test("a shared cache never holds a sign-up or a member's page", async () => {
  const signUp = aSignUp();
  expect([(await signUpWith(signUp))[0], (await signUpWith(signUp))[0]]).toEqual(["201 null", "409 null"]);
  const member = await context.db.selectFrom("sign_ups").select(["id", "email_key"]).executeTakeFirstOrThrow();
  const page = pageOf(member);
  for (const path of [page, page, `${page}/data`, `${page}/data`]) expect((await send(path))[0]).toBe("200 MISS");
});

test("a shared cache serves page and stats while the server is down, and new stats once it is back", async () => {
  const [, stats] = await send(STATS_PATH);
  await send("/");
  process.kill(server.pid, "SIGKILL");
  // Waits until max-age and stale-while-revalidate have expired.
  await pause(12_000);
  expect(await send(STATS_PATH)).toEqual(["200 STALE", stats]);
  expect((await send("/"))[0]).toBe("200 STALE");
  expect((await signUpWith())[0]).toBe("502 null");
  server = await start();
  expect((await signUpWith())[0]).toBe("201 null");
  await expect.poll(async () => (await send(STATS_PATH))[1] === stats, { timeout: 5000, interval: 500 }).toBe(false);
});
