import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { problem, sendProblem } from "./problem.ts";

/**
 * Refuses what another site makes a visitor's browser send. A request without these headers comes from no browser, and
 * so from nobody whose place it could be abused from.
 */
export function rejectCrossSite(publicOrigin: string | undefined): onRequestHookHandler {
  return (request, reply, done) => {
    if (isOurs(request, publicOrigin)) done();
    else sendProblem(reply, problem(403, { detail: "This form is only for the page it belongs to." }));
  };
}

function isOurs({ headers }: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  return headers.origin === undefined || isOwnUrl(headers.origin, headers.host, publicOrigin);
}

/** Whether an address is one of the page's. By host alone, because behind a proxy that ends TLS we don't see the scheme. */
export function isOwnUrl(address: string, host: string | undefined, publicOrigin: string | undefined): boolean {
  const url = URL.parse(address);
  return url !== null && (url.host === host || url.origin === publicOrigin);
}
