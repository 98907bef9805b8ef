import fastify, { type FastifyInstance, type InjectOptions, type RouteOptions } from "fastify";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { addConsole } from "#console/api/app.ts";
import type { Role } from "#console/contract/roles.ts";
import { createSession } from "#console/http/session.ts";
import { PROBLEM_TYPE, problemSchema } from "#contract/problem.ts";
import { ACTOR, HEADERS, HOST, WITHOUT_MAIL } from "#tests/support/console-api.ts";
import { rolesFor } from "#tests/support/console-roles.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();

interface Route {
  method: "GET" | "POST";
  url: string;
  access: string | undefined;
}

interface Opened {
  app: FastifyInstance;
  session: ReturnType<typeof createSession>;
  routes: Route[];
}

const createSessionOf = (role: Role) => createSession({ actor: ACTOR, role });

async function open(session: Opened["session"]): Promise<Opened> {
  const app = fastify({ exposeHeadRoutes: false });
  const routes: Opened["routes"] = [];
  app.addHook("onRoute", ({ method, url, config }: RouteOptions) => {
    const path = url.replace(":id", "1").replace("*", "people");
    routes.push({ method: method as "GET" | "POST", url: path, access: config?.access });
  });
  await addConsole(app, { db: context.db, ...WITHOUT_MAIL, access: session, host: () => HOST });
  return { app, session, routes };
}

let writable: Opened;
let id: string;
beforeAll(async () => {
  writable = await open(createSessionOf("admin"));
  const { app, session } = writable;
  id = (await exchange(app, session.token)).json().id;
});

const withSession = () => ({ ...HEADERS, authorization: `Bearer ${id}` });
const get = (url: string, headers: Record<string, string>) => writable.app.inject({ url, headers });

function exchange(app: FastifyInstance, token: string) {
  return app.inject({ method: "POST", url: "/api/session", headers: HEADERS, payload: { token } });
}

async function call({ app }: Opened, { method, url }: Route, headers: Record<string, string>): Promise<number> {
  const request: InjectOptions = { method, url, headers, ...(method === "POST" && { payload: {} }) };
  return (await app.inject(request)).statusCode;
}

/** The distinct statuses of the chosen routes. */
async function statuses(opened: Opened, headers: Record<string, string>, isChosen = (_: Route) => true) {
  const chosen = opened.routes.filter(isChosen);
  expect(chosen.length).toBeGreaterThan(5);
  return [...new Set(await Promise.all(chosen.map((route) => call(opened, route, headers))))];
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
    expect(await statuses(writable, headers())).toEqual([status]);
  });

  test.each([
    ["no session", () => ({})],
    ["the token instead of the session", () => ({ authorization: `Bearer ${writable.session.token}` })],
    ["another session", () => ({ authorization: `Bearer ${"A".repeat(43)}` })],
  ])("%s, if it is part of the API", async (_name, headers) => {
    expect(await statuses(writable, { ...HEADERS, ...headers() }, ({ access }) => !access)).toEqual([401]);
  });

  test("everyone until the link is used, except for the page's files and the sign-in", async () => {
    const unused = await open(createSessionOf("admin"));
    const headers = { ...HEADERS, "sec-fetch-dest": "iframe" };
    expect(await statuses(unused, headers, ({ access }) => access !== "page")).toEqual([401]);
  });
});

test("the page opens from a link, and its session reaches the API", async () => {
  const page = await get("/people?confirmed=yes", { host: HOST, "sec-fetch-site": "none" });
  expect(page.statusCode).toBe(200);
  expect(page.headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
  expect(page.headers["strict-transport-security"]).toBe("max-age=63072000");
  expect(page.headers["set-cookie"]).toBeUndefined();
  const people = await get("/api/people", withSession());
  expect(people.json()).toEqual({ people: [], next: null, searchedTo: null, isInside: false });
});

test("the page's script is compressed and cached for good, and the page itself never", async () => {
  const headers = { ...HEADERS, "accept-encoding": "br" };
  const page = await get("/", HEADERS);
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1] ?? "";
  expect(page.headers["cache-control"]).toBe("no-store");
  expect((await get(script, headers)).headers).toMatchObject({
    "content-encoding": "br",
    "cache-control": "public, max-age=31536000, immutable",
  });
});

test("a token works once, and a wrong one never", async () => {
  const { app, session } = await open(createSessionOf("admin"));
  expect((await exchange(app, "A".repeat(43))).statusCode).toBe(401);
  expect((await exchange(app, session.token)).statusCode).toBe(200);
  expect((await exchange(app, session.token)).statusCode).toBe(401);
});

test.each<Role>(["viewer", "editor", "admin", "read-only"])("the role %s calls only its routes", async (role) => {
  const opened = await open(createSessionOf(role));
  const authorization = `Bearer ${(await exchange(opened.app, opened.session.token)).json().id}`;
  const routes = opened.routes.filter(({ access }) => access !== "page");
  const refused: Route[] = [];
  for (const route of routes) {
    const status = await call(opened, route, { ...HEADERS, authorization, "sec-fetch-dest": "iframe" });
    expect(status).not.toBe(401);
    if (status === 403) refused.push(route);
  }
  expect(refused).toEqual(routes.filter((route) => !rolesFor(route).includes(role)));
});

test("the console doesn't start with a route that declares no permission", async () => {
  const { app } = await open(createSessionOf("admin"));
  expect(() => app.get("/api/new", () => "")).toThrow("GET /api/new declares no permission");
  expect(() => app.get("/new", { config: { access: "frame" } }, () => "")).toThrow("declares no permission");
});

test("without the session's header, only the page's files, its sign-in, a preview's frame and an export's file are served", () => {
  const declared = writable.routes.filter(({ access, url }) => access && !url.startsWith("/assets/"));
  expect(declared.map(({ url, access }) => `${url} ${access}`).sort()).toEqual([
    "/api/exports/1/file download",
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
  expect((await get("/preview/1", { ...HEADERS, ...headers })).statusCode).toBe(403);
});

test.each([
  ["malformed JSON", "application/json", "{", 400],
  ["no JSON", "application/json", "", 400],
  ["another content type", "text/xml", "<x/>", 415],
  ["too large a body", "application/json", JSON.stringify("x".repeat(2_000_000)), 413],
])("a request with %s isn't our fault", async (_what, type, payload, status) => {
  const headers = { ...withSession(), "content-type": type };
  const response = await writable.app.inject({ method: "POST", url: "/api/exports", headers, payload });
  expect(response.headers["content-type"]).toMatch(PROBLEM_TYPE);
  expect(problemSchema.parse(response.json())).toMatchObject({ status, detail: expect.stringMatching(/./) });
  expect(response.statusCode).toBe(status);
});

describe("the file of an export", () => {
  const start = async () => {
    const request = { method: "POST", url: "/api/exports", headers: withSession() } as const;
    const response = await writable.app.inject({ ...request, payload: { format: "csv" } });
    // Returns only an id, because the filter may contain a name that someone searched for.
    expect(response.json()).toEqual({ id: expect.any(String) });
    return response.json().id as string;
  };
  const download = (id: string, headers: Record<string, string> = {}) =>
    get(`/api/exports/${id}/file`, { ...HEADERS, ...headers });

  test("is downloaded without the session's header, once", async () => {
    const id = await start();
    const file = await download(id);
    expect(file.statusCode).toBe(200);
    expect(file.headers["content-disposition"]).toMatch(/^attachment; filename="waitlist-[\d-]+\.csv"$/);
    expect(file.body).toMatch(/^email,firstName,/);
    expect((await download(id)).statusCode).toBe(404);
  });

  test("is refused to a link that someone opens, which doesn't use up the id", async () => {
    const id = await start();
    expect((await download(id, { "sec-fetch-site": "none" })).statusCode).toBe(403);
    expect((await download(id)).statusCode).toBe(200);
  });

  test("needs its id; the session alone opens no file, and the id opens nothing else", async () => {
    const authorization = `Bearer ${await start()}`;
    expect((await download("A".repeat(43), withSession())).statusCode).toBe(404);
    expect((await get("/api/people", { ...HEADERS, authorization })).statusCode).toBe(401);
  });

  test("is refused once it has waited for 30 seconds", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const [early, late] = [await start(), await start()];
    vi.advanceTimersByTime(29_000);
    expect((await download(early)).statusCode).toBe(200);
    vi.advanceTimersByTime(2000);
    expect((await download(late)).statusCode).toBe(404);
    vi.useRealTimers();
  });
});
