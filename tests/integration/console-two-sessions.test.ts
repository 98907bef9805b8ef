import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { beforeAll, expect, test } from "vitest";
import { addConsole } from "#console/api/app.ts";
import type { Access } from "#console/http/guard.ts";
import { createLogger } from "#core/service/log.ts";
import { HEADERS, HOST, WITHOUT_MAIL } from "#tests/support/console-api.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const lines: string[] = [];
const log = createLogger("info", { write: (line) => lines.push(line) });
const app: FastifyInstance = fastify({
  loggerInstance: log as FastifyBaseLogger,
  logController: new LogController({ disableRequestLogging: true }),
});

/** Authenticates by name, so that each name has its own session. */
beforeAll(async () => {
  const access: Access = {
    mode: "local",
    authenticate: async ({ headers: { authorization: name = "" } }) => {
      return { actor: { name, via: "console" }, role: "admin", sessionId: name };
    },
    routes: async () => {},
  };
  await addConsole(app, { db: context.db, ...WITHOUT_MAIL, access, host: () => HOST });
});

const headersOf = (name: string) => ({ ...HEADERS, "sec-fetch-dest": "iframe", authorization: name });
const get = (name: string, url: string) => app.inject({ url, headers: headersOf(name) });
const post = (name: string, url: string, payload: object = {}) =>
  app.inject({ method: "POST", url, payload, headers: headersOf(name) });

test("neither session downloads the other's exports", async () => {
  const { id } = (await post("ada", "/api/exports", { format: "csv" })).json();
  expect((await get("bob", `/api/exports/${id}/file`)).statusCode).toBe(404);
  expect((await get("ada", `/api/exports/${id}/file`)).statusCode).toBe(200);
});

test("neither session opens the other's previews", async () => {
  const text = { kind: "announcement", subject: "Hi", body: "Hi", scheme: "light" };
  const { path } = (await post("ada", "/api/previews", text)).json();
  expect((await get("bob", path)).statusCode).toBe(404);
  expect((await get("ada", path)).statusCode).toBe(200);
});

test("each request is a log line with operator, route, status and duration, but without what was searched for", async () => {
  lines.splice(0);
  await get("ada", "/api/people?search=grace%40example.com");
  await get("bob", "/api/people/77");
  const line = { level: 30, msg: "Request", method: "GET", ms: expect.any(Number), reqId: expect.any(String) };
  expect(lines.map((each) => JSON.parse(each))).toMatchObject([
    { ...line, operator: "ada", route: "/api/people", status: 200 },
    { ...line, operator: "bob", route: "/api/people/:id", status: 404 },
  ]);
  expect(lines.join()).not.toMatch(/grace|people\/77/);
});
