import fastify, { type FastifyInstance, type InjectOptions, type RouteOptions } from "fastify";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { addConsole } from "#console/api/app.ts";
import { createSession, type Session } from "#console/api/session.ts";
import { startConsole } from "#console/start.ts";
import { ACTOR } from "#tests/support/console-api.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const HOST = "127.0.0.1:4400";
const context = useTestDatabase();
const none = { keys: undefined, mail: undefined, invitations: undefined };

interface Opened {
  app: FastifyInstance;
  session: Session;
  routes: { method: "GET" | "POST"; url: string; access: string | undefined }[];
}

async function open(isReadOnly: boolean): Promise<Opened> {
  const app = fastify({ exposeHeadRoutes: false });
  const routes: Opened["routes"] = [];
  app.addHook("onRoute", ({ method, url, config }: RouteOptions) => {
    const path = url.replace(":id", "1").replace("*", "people");
    routes.push({ method: method as "GET" | "POST", url: path, access: config?.access });
  });
  const session = createSession();
  await addConsole(app, { db: context.db, actor: ACTOR, ...none, isReadOnly, session, host: () => HOST });
  return { app, session, routes };
}

let writable: Opened;
let id: string;
beforeAll(async () => {
  writable = await open(false);
  const { app, session } = writable;
  id = (await exchange(app, session.token)).json().id;
});

const sameOrigin = { host: HOST, "sec-fetch-site": "same-origin" };
const withSession = () => ({ ...sameOrigin, authorization: `Bearer ${id}` });
const get = (url: string, headers: Record<string, string>) => writable.app.inject({ url, headers });

function exchange(app: FastifyInstance, token: string) {
  return app.inject({ method: "POST", url: "/api/session", headers: sameOrigin, payload: { token } });
}

/** The distinct statuses of all routes, or of those that need the session. */
async function statuses(headers: Record<string, string>, needSession = false): Promise<number[]> {
  const chosen = writable.routes.filter(
    ({ url }) => !needSession || (url.startsWith("/api/") && url !== "/api/session"),
  );
  expect(chosen.length).toBeGreaterThan(5);
  const responses = chosen.map(({ method, url }) => {
    const request: InjectOptions = { method, url, headers, ...(method === "POST" && { payload: {} }) };
    return writable.app.inject(request);
  });
  return [...new Set((await Promise.all(responses)).map(({ statusCode }) => statusCode))];
}

describe("every route of the console refuses", () => {
  test.each([
    ["another Host", () => ({ ...withSession(), host: "attacker.example" }), 421],
    ["the right Host with another port", () => ({ ...withSession(), host: "127.0.0.1:80" }), 421],
    ["localhost, which a page of another port can reach", () => ({ ...withSession(), host: "localhost:4400" }), 421],
    ["a cross-site request", () => ({ ...withSession(), "sec-fetch-site": "cross-site" }), 403],
    ["a request from another port", () => ({ ...withSession(), "sec-fetch-site": "same-site" }), 403],
    ["a request that no browser has sent", () => ({ host: HOST, authorization: `Bearer ${id}` }), 403],
  ])("%s", async (_name, headers, status) => {
    expect(await statuses(headers())).toEqual([status]);
  });

  test.each([
    ["no session", () => ({})],
    ["the token instead of the session", () => ({ authorization: `Bearer ${writable.session.token}` })],
    ["another session", () => ({ authorization: `Bearer ${"A".repeat(43)}` })],
  ])("%s, if it is part of the API", async (_name, headers) => {
    expect(await statuses({ ...sameOrigin, ...headers() }, true)).toEqual([401]);
  });
});

test("the page opens from a link, and its session reaches the API", async () => {
  const page = await get("/people?confirmed=yes", { host: HOST, "sec-fetch-site": "none" });
  expect(page.statusCode).toBe(200);
  expect(page.headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
  expect(page.headers["set-cookie"]).toBeUndefined();
  const people = await get("/api/people", withSession());
  expect(people.json()).toEqual({ people: [], next: null, searchedTo: null });
});

test("a token works once, and a wrong one never", async () => {
  const { app, session } = await open(false);
  expect((await exchange(app, "A".repeat(43))).statusCode).toBe(401);
  expect((await exchange(app, session.token)).statusCode).toBe(200);
  expect((await exchange(app, session.token)).statusCode).toBe(401);
});

test("a read-only console has no route that changes the list", async () => {
  const { routes } = await open(true);
  expect(routes.filter(({ method }) => method !== "GET").map(({ url }) => url)).toEqual([
    "/api/session",
    "/api/exports",
    "/api/exports/1/cancel",
  ]);
});

test("without a session, only the page's files, its sign-in, a preview's frame and an export's file are served", () => {
  const declared = writable.routes.filter(({ access, url }) => access && !url.startsWith("/assets/"));
  expect(declared.map(({ url, access }) => `${url} ${access}`).sort()).toEqual([
    "/api/exports/1/file ticket",
    "/api/session page",
    "/icon.svg page",
    "/people page",
    "/preview/1 frame",
    "/sans.woff2 page",
    "/tokens.css page",
  ]);
});

test.each([
  ["the address bar", { "sec-fetch-site": "none", "sec-fetch-dest": "document" }],
  ["a script of the page", { "sec-fetch-dest": "empty" }],
  ["a tab of its own", { "sec-fetch-dest": "document" }],
])("a preview isn't for %s", async (_name, headers) => {
  expect((await get("/preview/1", { ...sameOrigin, ...headers })).statusCode).toBe(403);
});

describe("the file of an export", () => {
  const start = async () => {
    const request = { method: "POST", url: "/api/exports", headers: withSession() } as const;
    const response = await writable.app.inject({ ...request, payload: { format: "csv" } });
    // Returns only an id, because the filter may contain a name that someone searched for.
    expect(response.json()).toEqual({ id: expect.any(String) });
    return response.json().id as string;
  };
  const download = (ticket: string, headers: Record<string, string> = {}) =>
    get(`/api/exports/${ticket}/file`, { ...sameOrigin, ...headers });

  test("is downloaded without the session's header, once", async () => {
    const ticket = await start();
    const file = await download(ticket);
    expect(file.statusCode).toBe(200);
    expect(file.headers["content-disposition"]).toMatch(/^attachment; filename="waitlist-[\d-]+\.csv"$/);
    expect(file.body).toMatch(/^email,firstName,/);
    expect((await download(ticket)).statusCode).toBe(401);
  });

  test("is refused to a link that someone opens, which doesn't use up the ticket", async () => {
    const ticket = await start();
    expect((await download(ticket, { "sec-fetch-site": "none" })).statusCode).toBe(403);
    expect((await download(ticket)).statusCode).toBe(200);
  });

  test("needs a ticket; the session alone opens no file, and a ticket opens nothing else", async () => {
    const authorization = `Bearer ${await start()}`;
    expect((await download("A".repeat(43), withSession())).statusCode).toBe(401);
    expect((await get("/api/people", { ...sameOrigin, authorization })).statusCode).toBe(401);
  });

  test("is refused once the ticket has expired", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { issueTicket, redeem } = createSession();
    const [early, late] = [issueTicket(), issueTicket()];
    vi.advanceTimersByTime(29_000);
    expect(redeem(early)).toBe(true);
    vi.advanceTimersByTime(2000);
    expect(redeem(late)).toBe(false);
    vi.useRealTimers();
  });
});

test("listens on every address only in a container, and refuses any Host but loopback", async () => {
  const parts = { db: context.db, actor: ACTOR, ...none, isReadOnly: true };
  for (const [isInContainer, expected] of [
    [false, "ECONNREFUSED"],
    [true, 421],
  ] as const) {
    const { url, stop } = await startConsole({ ...parts, port: 0, isInContainer });
    const reaching = fetch(url.replace("127.0.0.1", "127.0.0.2"));
    expect(
      await reaching.then(
        ({ status }) => status,
        ({ cause }) => cause.code,
      ),
    ).toBe(expected);
    expect(new URL(url).hostname).toBe("127.0.0.1");
    await stop();
  }
});

test("listens on this machine only, and ends after an idle timeout", async () => {
  const parts = { db: context.db, actor: ACTOR, ...none, isReadOnly: true };
  const { url, ended } = await startConsole({ ...parts, port: 0, maxIdleMs: 300 });
  expect(new URL(url).hostname).toBe("127.0.0.1");
  // A console that can't listen leaves no timer, which would keep its process alive.
  const timers = vi.spyOn(globalThis, "setTimeout");
  const port = Number(new URL(url).port);
  await expect(startConsole({ ...parts, port, maxIdleMs: 98_765 })).rejects.toThrow("EADDRINUSE");
  expect(timers).not.toHaveBeenCalledWith(expect.anything(), 98_765);
  timers.mockRestore();
  await ended;
  await expect(fetch(url)).rejects.toThrow();
});
