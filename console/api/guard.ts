import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Session } from "./session.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * "page" for the files of the console's page, "frame" for content that only an iframe may load, "ticket" for a URL
     * whose id is a single-use ticket. By default, requests must carry the session.
     */
    access?: "page" | "frame" | "ticket";
  }
}

/**
 * Accepts requests only from the operator's own browser tab. The exact Host stops DNS rebinding; Sec-Fetch-Site stops
 * other websites and programs that aren't browsers. No cookie, because localhost shares cookies between ports.
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
 * Browsers send `none` for a URL that the user opens, and `cross-site` for one that the page written by `--open` opens.
 * The latter gets only "/", as a top-level page, because any website could send such a request.
 */
function isFromOurPage({ headers, routeOptions, method, url }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  const { access } = routeOptions.config;
  if (access === "frame" && headers["sec-fetch-dest"] !== "iframe") return false;
  const isPage = access === "page" && method === "GET";
  const isOpened = url === "/" && headers["sec-fetch-dest"] === "document";
  return site === "same-origin" || (isPage && (site === "none" || isOpened));
}
