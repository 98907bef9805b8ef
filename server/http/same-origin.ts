import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { sendProblem } from "#core/http/problem.ts";

/**
 * CSRF: rejects requests that another site makes a visitor's browser send. A request without Sec-Fetch-Site and Origin
 * doesn't come from a browser, so there is no visitor to impersonate.
 */
export function rejectCrossSite(publicOrigin: string | undefined): onRequestHookHandler {
  return (request, reply, done) => {
    if (hasTwoHosts(request)) sendProblem(reply, 400, "The request has more than one Host header.");
    else if (isSameOrigin(request, publicOrigin)) done();
    else sendProblem(reply, 403, "Requests must come from our own page.");
  };
}

/** Two Host headers are rejected: Node keeps only the first, and a proxy may have routed by the other. */
function hasTwoHosts({ raw: { rawHeaders } }: FastifyRequest): boolean {
  // In rawHeaders, names and values alternate.
  return rawHeaders.filter((text, i) => i % 2 === 0 && /^host$/i.test(text)).length > 1;
}

function isSameOrigin({ headers }: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  return headers.origin === undefined || isOwnUrl(headers.origin, headers.host, publicOrigin);
}

/** Whether a URL is ours. Compares hosts, because behind a TLS-terminating proxy we don't see the scheme. */
export function isOwnUrl(value: string, host: string | undefined, publicOrigin: string | undefined): boolean {
  const url = URL.parse(value);
  return url !== null && (url.host === host || url.origin === publicOrigin);
}
