import type { FastifyInstance, FastifyRequest } from "fastify";
import { may, type Permission, type Role } from "#console/contract/roles.ts";
import type { Actor } from "#core/activity.ts";

/** Who sent a request. */
export interface Operator {
  /** Every change is recorded under their name. */
  actor: Actor;
  role: Role;
  /** Exports and previews belong to a session. */
  sessionId: string;
}

/** Returns undefined if the request has no valid session. */
export type Authenticate = (request: FastifyRequest) => Operator | undefined;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Required on every route, except those with access "page". */
    permission?: Permission;
    /**
     * "page" for the files of the console's page, which need no session; "frame" for content that only an iframe may
     * load, and "download" for files: their requests can't carry a header, so the URL's random id replaces it.
     */
    access?: "page" | "frame" | "download";
  }
  interface FastifyRequest {
    /** Not set on routes with access "page". */
    operator: Operator;
  }
}

/** Options of a route that needs this permission. */
export function needs(permission: Permission) {
  return { config: { permission } };
}

/**
 * Accepts requests only from the operator's own browser tab. The exact Host stops DNS rebinding; Sec-Fetch-Site stops
 * other websites and programs that aren't browsers. No cookie, because localhost shares cookies between ports.
 */
export function guard(app: FastifyInstance, host: () => string, authenticate: Authenticate): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.permission && config?.access !== "page") throw new Error(`${method} ${url} declares no permission`);
  });
  app.decorateRequest("operator");
  app.addHook("onRequest", async (request, reply) => {
    const { access, permission } = request.routeOptions.config;
    if (request.headers.host !== host()) return reply.code(421).send({ detail: "Wrong Host header." });
    if (!isFromOurPage(request)) return reply.code(403).send({ detail: "Requests must come from the console page." });
    if (access === "page") return undefined;
    const operator = authenticate(request);
    if (!operator) return reply.code(401).send({ detail: "This session has ended." });
    if (!permission || !may(operator.role, permission)) {
      return reply.code(403).send({ detail: "Your role doesn't allow this." });
    }
    request.operator = operator;
    return undefined;
  });
}

/**
 * Browsers send `none` for a URL that the user opens, and `cross-site` for one that the page written by `--open` opens.
 * A cross-site request may open only "/", as a top-level page, because any website could send one.
 */
function isFromOurPage({ headers, routeOptions, method, url }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  const { access } = routeOptions.config;
  if (access === "frame" && headers["sec-fetch-dest"] !== "iframe") return false;
  const isPage = access === "page" && method === "GET";
  const isOpened = url === "/" && headers["sec-fetch-dest"] === "document";
  return site === "same-origin" || (isPage && (site === "none" || isOpened));
}
