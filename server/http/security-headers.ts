import type { FastifyInstance } from "fastify";

/** Nothing the page has a use for; what a browser adds one day is asked for here or not at all. */
const UNUSED_FEATURES =
  "accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope magnetometer microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock usb xr-spatial-tracking".split(
    " ",
  );

/** For an answer that is no page: should a browser be talked into showing it, it may do nothing at all. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * For the pages and their files, the worker among them: what they use, from ourselves. No upgrade-insecure-requests,
 * because WebKit obeys it on plain localhost too; HSTS does the same where it matters.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types farwatch-backdrop",
].join("; ");

export const SECURITY_HEADERS = {
  "content-security-policy": CLOSED_POLICY,
  "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not no-referrer: with it a browser names no origin when it posts our form without script.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", "),
};

/** On every answer, whatever it is; the pages then replace the policy by their own. */
export function sendSecurityHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    done();
  });
}
