import fastify, { type FastifyInstance, type InjectOptions, type RouteOptions } from "fastify";
import type { JWTPayload } from "jose";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { addConsole } from "#console/api/app.ts";
import { createTeamAccess } from "#console/sign-in/team-access.ts";
import { readConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { CLIENT, type Fault, type OidcProvider, startOidcProvider } from "./an-oidc-provider.ts";
import { useTestDatabase } from "./test-database.ts";

export const ORIGIN = "https://console.example.com";
export const PEOPLE = `${ORIGIN}/people`;
export const failed = (reason: string) => `/sign-in-failed?reason=${reason}`;

export interface TeamConsole {
  app: FastifyInstance;
  provider: OidcProvider;
  routes: { method: "GET" | "POST"; url: string; access: string | undefined }[];
}

export const ADA = { sub: "ada", email: "Ada@Example.com", email_verified: true };

/** For a whole test file: the team's console with a sign-in provider. */
export function useTeamConsole(db: () => Database, settings: Record<string, string> = {}): TeamConsole {
  const team = {} as TeamConsole;
  beforeAll(async () => {
    team.provider = await startOidcProvider();
    team.app = await openTeamConsole(db(), team, settings);
  });
  afterAll(async () => {
    await team.app.close();
    team.provider.stop();
  });
  return team;
}

/** Like useTeamConsole(), with its own database. Nobody has a role or a session before each test. */
export function useEmptyTeam(settings: Record<string, string> = {}) {
  const context = useTestDatabase();
  const team = useTeamConsole(() => context.db, settings);
  const query = (sql: string) => context.db.pool.query(sql);
  beforeEach(() => query("truncate console_operators, console_sessions, console_roles, activity"));
  return { context, team, query };
}

export async function openTeamConsole(db: Database, team: TeamConsole, settings: Record<string, string>) {
  const { team: config } = readConfig({
    DATABASE_URL: "postgres://unused",
    CONSOLE_ORIGIN: ORIGIN,
    OIDC_ISSUER: team.provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    PUBLIC_ORIGIN: "https://example.com",
    ERASURE_KEY: "the key for erasures of 32 letters",
    ...settings,
  });
  if (!config) throw new Error("Incomplete settings");
  const app = fastify({ exposeHeadRoutes: false, trustProxy: "10.0.0.1" });
  team.routes = [];
  app.addHook("onRoute", ({ method, url, config }: RouteOptions) => {
    const path = url.replace(":id", "1").replace("*", "people");
    team.routes.push({ method: method as "GET" | "POST", url: path, access: config?.access });
  });
  const access = createTeamAccess(db, config);
  await addConsole(app, { db, ...config.parts, access, host: () => new URL(ORIGIN).host });
  return app;
}

let browsers = 0;

/** A browser with its own cookies and address, which sends the same headers as our page. */
export function createBrowser(team: TeamConsole) {
  const cookies = new Map<string, string>();
  const log: string[] = [];
  const remoteAddress = `192.0.2.${++browsers}`;
  const send = async (request: Omit<InjectOptions, "headers"> & { headers?: Record<string, string> }) => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const ours = { host: new URL(ORIGIN).host, "sec-fetch-site": "same-origin", origin: ORIGIN, cookie };
    const response = await team.app.inject({ remoteAddress, ...request, headers: { ...ours, ...request.headers } });
    log.push(...[response.headers["set-cookie"] ?? []].flat());
    for (const { name, value, maxAge } of response.cookies) {
      cookies.delete(name);
      if (maxAge !== 0) cookies.set(name, value);
    }
    return response;
  };
  const browser = {
    cookies,
    /** Every Set-Cookie header. */
    log,
    get: (url: string, headers: Record<string, string> = {}) => send({ url, headers }),
    post: (url: string, payload: object = {}, headers: Record<string, string> = {}) =>
      send({ method: "POST", url, payload, headers }),
    /** Starts a sign-in, and returns the provider's URL. */
    start: async (to = "/people") =>
      String((await browser.get(`/sign-in?to=${encodeURIComponent(to)}`)).headers.location),
    /** Follows the provider's redirect, and returns where that leads. */
    finish: async ({ pathname, search }: URL) => {
      const redirected = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document", origin: "" };
      return String((await browser.get(pathname + search, redirected)).headers.location);
    },
    signIn: async (claims: JWTPayload = ADA, fault: Fault = {}) =>
      browser.finish(team.provider.authorize(await browser.start(), claims, fault)),
  };
  return browser;
}
