import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";

/** Browser features the page doesn't use, disabled by name; features that browsers add later must be added here. */
const UNUSED_FEATURES =
  "accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope magnetometer microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock usb xr-spatial-tracking".split(
    " ",
  );

/** For responses that aren't pages: if a browser is tricked into rendering one, the response can do nothing. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * For the pages and their files, including the worker: allows only what they use, and only from our own origin. No
 * upgrade-insecure-requests, because WebKit applies it to http://localhost too; HSTS does the same in production.
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

/** For the prerendered pages: their only style sheet is inline, and allowed by its hash. */
export function policyWithInlineStyle(html: string): string {
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  return PAGE_POLICY.replace("style-src 'self'", `style-src 'sha256-${hash("sha256", style, "base64")}'`);
}

/** Two years, for this host alone: an adopter's other subdomains may not serve HTTPS. */
const HSTS = "max-age=63072000";

const SECURITY_HEADERS = {
  "content-security-policy": CLOSED_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not no-referrer: with it, browsers send `Origin: null` when they post our form without JavaScript.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", "),
};

export type SecurityHeaders = ReturnType<typeof securityHeaders>;

export function securityHeaders(hstsPreload: boolean) {
  return {
    ...SECURITY_HEADERS,
    "strict-transport-security": hstsPreload ? `${HSTS}; includeSubDomains; preload` : HSTS,
  };
}

/** Sets the headers on every response; pages then replace the content security policy with their own. */
export function sendSecurityHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
