import type { FastifyInstance } from "fastify";
import { sendProblem } from "./problem.ts";

/** Browser features the page doesn't use, disabled by name; features that browsers add later must be added here. */
const UNUSED_FEATURES =
  "accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope magnetometer microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock usb xr-spatial-tracking".split(
    " ",
  );

/** For responses that aren't pages: if a browser is tricked into rendering one, the response can do nothing. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * For a page and its files: allows only our own origin, no inline scripts, and no code from strings. `own` says what this
 * page needs besides. No upgrade-insecure-requests, because WebKit applies it to http://localhost too; HSTS does the
 * same in production.
 */
export function pagePolicy(own: Record<string, string>): string {
  const policy = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    ...own,
  };
  return Object.entries(policy)
    .map((directive) => directive.join(" "))
    .join("; ");
}

/** Two years, for this host alone: an adopter's other subdomains may not serve HTTPS. */
const HSTS = "max-age=63072000";

/**
 * Not for a page with sandboxed frames: under the first, Firefox leaves such a frame blank; with the second, Chromium
 * runs it in another process, and Tab doesn't leave it any more.
 */
const FRAMELESS_HEADERS = { "cross-origin-embedder-policy": "require-corp", "origin-agent-cluster": "?1" };

export function securityHeaders({ policy = CLOSED_POLICY, hstsPreload = false, hasFrames = false } = {}) {
  return {
    "content-security-policy": policy,
    "strict-transport-security": hstsPreload ? `${HSTS}; includeSubDomains; preload` : HSTS,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    // Not no-referrer: with it, browsers send `Origin: null` when they post our form without JavaScript.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    ...(hasFrames ? {} : FRAMELESS_HEADERS),
    "permissions-policy": UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", "),
  };
}

/** Sets the headers on every response; single pages then replace the content security policy with their own. */
export function sendSecurityHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  // Node's own responses to a request without Host, and to an unknown Expect, wouldn't have them.
  Object.assign(app.server, { requireHostHeader: false });
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.addHook("onRequest", ({ headers: { host }, raw }, reply, done) => {
    reply.headers(headers);
    if (host === undefined && raw.httpVersion === "1.1") sendProblem(reply, 400, "The request has no Host header.");
    else done();
  });
}
