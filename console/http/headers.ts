import { pagePolicy, securityHeaders } from "#core/http/security-headers.ts";

const policy = pagePolicy({ "frame-src": "'self'", "form-action": "'none'", "trusted-types": "'none'" });

export const APP_HEADERS = { ...securityHeaders({ policy, hasFrames: true }), "cache-control": "no-store" };

/** For an email, which has inline styles. It can't load, run, submit or open anything, even when opened in a tab. */
export const PREVIEW_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "sandbox",
  ].join("; "),
  "x-frame-options": "SAMEORIGIN",
};
