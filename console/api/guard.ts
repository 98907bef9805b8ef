import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Session } from "./session.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * "page" for what the console's page consists of, "frame" for what only a frame of it may load, "ticket" for a URL
     * whose id is a ticket of the session. By default only a page with the session gets a response.
     */
    access?: "page" | "frame" | "ticket";
  }
}

/**
 * Rejects everyone but the operator's own browser tab. The exact Host stops DNS rebinding, and Sec-Fetch-Site stops
 * other websites and every program that isn't a browser. There is no cookie: localhost shares them between ports.
 */
export function guard(app: FastifyInstance, { host, session }: { host: () => string; session: Session }): void {
  app.addHook("onRequest", async (request, reply) => {
    if (request.headers.host !== host()) return reply.code(421).send({ detail: "Wrong Host header." });
    if (!isFromOurPage(request)) return reply.code(403).send({ detail: "Requests must come from the console page." });
    if (!isAllowed(request, session)) return reply.code(401).send({ detail: "This session has ended." });
    return undefined;
  });
}

function isAllowed({ headers, params, routeOptions }: FastifyRequest, session: Session): boolean {
  switch (routeOptions.config.access) {
    case "page":
    case "frame":
      return true;
    case "ticket":
      return session.redeem((params as { id?: string }).id);
    default:
      return session.isValid(headers.authorization);
  }
}

/**
 * Browsers send `none` when someone opens a URL themselves, and `cross-site` when the page of `--open` does. The latter
 * gets only the first view, in its own tab, because any website could link to the others.
 */
function isFromOurPage({ headers, routeOptions, method, url }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  const { access } = routeOptions.config;
  if (access === "frame" && headers["sec-fetch-dest"] !== "iframe") return false;
  const isPage = access === "page" && method === "GET";
  const isOpened = url === "/" && headers["sec-fetch-dest"] === "document";
  return site === "same-origin" || (isPage && (site === "none" || isOpened));
}
