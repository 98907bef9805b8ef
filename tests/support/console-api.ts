import fastify from "fastify";
import { afterAll, beforeAll } from "vitest";
import { addConsole } from "#console/api/app.ts";
import type { Role } from "#console/contract/roles.ts";
import type { ConsoleParts } from "#console/http/parts.ts";
import { createSession } from "#console/http/session.ts";
import type { Database } from "#core/database/connect.ts";
import { useEmptyList } from "./test-database.ts";

export const HOST = "127.0.0.1:4400";
/** The headers of a request from the console's own page. */
export const HEADERS = { host: HOST, "sec-fetch-site": "same-origin" };

export const WITHOUT_MAIL = { keys: undefined, mail: undefined, invitations: undefined };

export const ACTOR = { name: "ada", via: "console" } as const;

export interface ConsoleApi {
  get(url: string, headers?: Record<string, string>): Promise<ApiResponse>;
  post(url: string, payload?: object): Promise<ApiResponse>;
  close(): Promise<void>;
}

interface ApiResponse {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests know what they asked for
  json: any;
}

/** Calls the console's API with a session, as its page does. */
export async function openConsoleApi(parts: ConsoleParts, role: Role = "admin"): Promise<ConsoleApi> {
  const app = fastify({ exposeHeadRoutes: false });
  const session = createSession({ actor: ACTOR, role });
  await addConsole(app, { ...parts, access: session, host: () => HOST });
  const headers = { ...HEADERS, authorization: `Bearer ${session.exchange(session.token)}` };
  const toResponse = ({ statusCode, body, headers }: Awaited<ReturnType<typeof app.inject>>): ApiResponse => ({
    status: statusCode,
    headers,
    text: body,
    json: String(headers["content-type"]).includes("json") ? JSON.parse(body) : undefined,
  });
  return {
    get: async (url, more = {}) => toResponse(await app.inject({ url, headers: { ...headers, ...more } })),
    post: async (url, payload = {}) => toResponse(await app.inject({ method: "POST", url, headers, payload })),
    close: () => app.close(),
  };
}

/** For a whole test file: a console without mail. The list is empty before each test. */
export function useConsoleApi() {
  const context = useEmptyList() as { url: string; db: Database; api: ConsoleApi };
  beforeAll(async () => {
    context.api = await openConsoleApi({ db: context.db, ...WITHOUT_MAIL });
  });
  afterAll(() => context.api.close());
  return context;
}
