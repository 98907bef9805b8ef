import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, FastifySchema } from "fastify";
import { may, type Permission, type Role } from "#console/contract/roles.ts";
import type { Actor } from "#core/activity/activity.ts";
import { sendProblem } from "#core/http/problem.ts";
import { oneAtATime } from "#core/service/one-at-a-time.ts";

export interface Operator {
  /** Every change is recorded under their name. */
  actor: Actor;
  role: Role;
  /** Exports and previews belong to a session. */
  sessionId: string;
}

/** "ended" if the request has no valid session, "renew" if the browser can sign in again without asking the user. */
export type Authenticate = (request: FastifyRequest) => Promise<Operator | "ended" | "renew">;

/** How operators get in: with the link of a console on their own machine, or by signing in to the team's. */
export interface Access {
  mode: "local" | "team";
  authenticate: Authenticate;
  routes: FastifyPluginAsync;
  /** Shown on the sign-in page: whose waitlist it is, and who signs people in. */
  names?: { company: string; provider: string };
  /** If set, unsafe methods need exactly this Origin, and any website may link to the console's pages. */
  origin?: string;
}

type Queue = "list" | "count";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Required on every route, except those with access "page". */
    permission?: Permission;
    /**
     * "page" for the files of the console's page, which need no session; "frame" for content that only an iframe may
     * load; "download" for files. Iframes and downloads can't send the session's header, so the URL has a random id.
     */
    access?: "page" | "frame" | "download";
    /** On reads that may scan the list. A session's run one at a time in each queue, so two at most. */
    queue?: Queue | undefined;
  }
  interface FastifyRequest {
    /** Not set on routes with access "page". */
    operator: Operator;
    /** Checks access again, during long responses. */
    isAllowed(): Promise<boolean>;
  }
}

export function needs<Schema extends FastifySchema>(permission: Permission, schema = {} as Schema, queue?: Queue) {
  return { config: { permission, queue }, schema };
}

/** As many as someone starts by typing while the first one runs. */
const MAX_QUEUED = 10;
const BUSY = "Your last searches are still running. Try again in a moment.";

/** Call it before adding routes. Skips reads whose browser has gone, such as those for the first letters of a search. */
export function queueHeavyReads(app: FastifyInstance): void {
  const inTurn = oneAtATime(MAX_QUEUED);
  app.addHook("onRoute", (route) => {
    const { handler, config: { queue } = {} } = route;
    if (!queue) return;
    route.handler = async function (request, reply) {
      const read = async () => (reply.raw.destroyed ? reply.hijack() : handler.call(this, request, reply));
      return inTurn(`${queue} ${request.operator.sessionId}`, read) ?? sendProblem(reply, 429, BUSY);
    };
  });
}

/**
 * Accepts requests only from the operator's own browser tab. The exact Host stops DNS rebinding; Sec-Fetch-Site stops
 * other websites and programs that aren't browsers.
 */
export function guard(app: FastifyInstance, host: () => string, { mode, names, origin, authenticate }: Access): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.permission && config?.access !== "page") throw new Error(`${method} ${url} declares no permission`);
  });
  app.decorateRequest("operator");
  app.decorateRequest("isAllowed");
  app.addHook("onResponse", async ({ operator, method, routeOptions: { url }, log }, { statusCode, elapsedTime }) => {
    const ms = Math.round(elapsedTime);
    // The route, not the path, which may contain a search.
    log.info({ operator: operator?.actor.name, method, route: url, status: statusCode, ms }, "Request");
  });
  app.addHook("onRequest", async (request, reply) => {
    const { access, permission } = request.routeOptions.config;
    if (request.headers.host !== host()) return sendProblem(reply, 421, "Wrong Host header.");
    if (!isFromOurPage(request, origin)) return sendProblem(reply, 403, "Requests must come from the console page.");
    if (access === "page") return undefined;
    const operator = await authenticate(request);
    if (typeof operator === "string") {
      return sendProblem(reply, 401, {
        detail: "This session has ended.",
        mode,
        ...names,
        renew: operator === "renew",
      });
    }
    if (!permission || !may(operator.role, permission)) {
      return sendProblem(reply, 403, "Your role doesn't allow this.");
    }
    request.operator = operator;
    request.isAllowed = async () => {
      const now = await authenticate(request);
      return typeof now !== "string" && may(now.role, permission);
    };
    return undefined;
  });
}

/**
 * Browsers send `none` for a URL that the user opens, and `cross-site` for one that another site opens, like the page
 * of a terminal in the browser or the team's sign-in. `cross-site` may open only top-level pages without data, locally only "/".
 */
function isFromOurPage({ headers, routeOptions, method, url }: FastifyRequest, origin?: string): boolean {
  const site = headers["sec-fetch-site"];
  const { access } = routeOptions.config;
  if (access === "frame" && headers["sec-fetch-dest"] !== "iframe") return false;
  if (origin && method !== "GET" && headers.origin !== origin) return false;
  const isPage = access === "page" && method === "GET";
  const isOpened = (origin !== undefined || url === "/") && headers["sec-fetch-dest"] === "document";
  return site === "same-origin" || (isPage && (site === "none" || isOpened));
}
