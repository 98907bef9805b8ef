/**
 * The score of MDN's HTTP Observatory, by the rules of version 1.4.8. Installing the package itself would add 235 more packages.
 * Stricter than the original where it allows things we don't use: 'unsafe-inline' or 'strict-dynamic' beside a nonce or
 * a hash, a repeated reporting directive, and same-origin scripts with an absolute URL.
 */

/** What the Observatory requests: the page, and a CORS preflight from another origin. */
export interface Visit {
  headers: Headers;
  html: string;
  preflight: Headers;
}

export const FOREIGN_ORIGIN = "https://observatory.example";

export async function visitPage(origin: string): Promise<Visit> {
  const page = await fetch(origin);
  const preflight = await fetch(origin, {
    method: "OPTIONS",
    headers: { origin: FOREIGN_ORIGIN, "access-control-request-method": "GET" },
  });
  return { headers: new Headers(page.headers), html: await page.text(), preflight: new Headers(preflight.headers) };
}

/** Undefined if a directive is repeated: browsers use the first one, authors often mean the last. */
function policyOf({ headers }: Visit): Record<string, string[]> | undefined {
  const directives = (headers.get("content-security-policy") ?? "")
    .toLowerCase()
    .split(";")
    .map((directive) => directive.trim().split(/\s+/))
    .filter(([name]) => name);
  const policy = Object.fromEntries(
    directives.map(([name, ...sources]) => [name, sources.length > 0 ? sources : ["'none'"]]),
  );
  return directives.length > 0 && directives.length === Object.keys(policy).length ? policy : undefined;
}

const BROAD = ["*", "http:", "https:", "ftp:", "http://*", "http://*.*", "https://*", "https://*.*"];
const BROAD_OR_INLINE = [...BROAD, "'unsafe-inline'", "data:"];

function contentSecurityPolicy(visit: Visit): number {
  const policy = policyOf(visit);
  if (!policy) return -25;
  const { "default-src": fallback = ["*"], "img-src": images = [], "media-src": media = [], ...active } = policy;
  const { "script-src": script = fallback, "object-src": object = fallback, "style-src": style = fallback } = active;
  const allows = (sources: string[], unsafe: string[]) => sources.some((source) => unsafe.includes(source));
  const allowsPlainHttp = (sources: string[]) => sources.some((source) => /^(?:http|ftp):/.test(source));

  if (script.includes("'strict-dynamic'")) return -25;
  if (allows(script, BROAD_OR_INLINE) || allows(object, BROAD)) return -20;
  if (allowsPlainHttp([fallback, ...Object.values(active)].flat())) return -20;
  if (allows([...script, ...style], ["'unsafe-eval'"])) return -10;
  if (allowsPlainHttp([...images, ...media])) return -10;
  if (allows(style, BROAD_OR_INLINE)) return 0;
  return fallback.join() === "'none'" ? 10 : 5;
}

function frames(visit: Visit): number {
  if (policyOf(visit)?.["frame-ancestors"]) return 5;
  return /^(?:deny$|sameorigin$|allow-from)/i.test(visit.headers.get("x-frame-options") ?? "") ? 0 : -20;
}

function strictTransportSecurity({ headers }: Visit): number {
  const maxAge = /^(?:[^,]*;)? *max-age=(\d+)[^,]*$/i.exec(headers.get("strict-transport-security") ?? "")?.[1];
  if (!maxAge) return -20;
  return Number(maxAge) < 15_552_000 ? -10 : 0;
}

function cookies(visit: Visit): number {
  const onlyOverTls = strictTransportSecurity(visit) === 0;
  const points = visit.headers.getSetCookie().map((cookie) => {
    const [name = "", ...flags] = cookie.toLowerCase().split(/ *; */);
    const [secure, httpOnly] = [flags.includes("secure"), flags.includes("httponly")];
    const sameSite = flags.find((flag) => flag.startsWith("samesite"));
    const opensSession = /^[^=]*(?:login|sess)/.test(name);

    if (opensSession && !secure && !onlyOverTls) return -40;
    if (opensSession && !httpOnly) return -30;
    if (/^[^=]*csrf/.test(name) && !sameSite) return -20;
    if (sameSite && !(secure ? /=(?:lax|strict|none)$/ : /=(?:lax|strict)$/).test(sameSite)) return -20;
    if (!secure && !onlyOverTls) return -20;
    if (!secure) return opensSession ? -10 : -5;
    return sameSite ? 5 : 0;
  });
  return points.length > 0 ? Math.min(...points) : 0;
}

function subresourceIntegrity({ headers, html }: Visit): number {
  if (!/^(?:text\/html|application\/xhtml\+xml)(?:;|$)/.test(headers.get("content-type") ?? "")) return 0;
  const scripts = html.match(/<script\b[^>]*\ssrc=[^>]*>/gi) ?? [];
  const unpinned = scripts.filter((script) => !/\sintegrity=["']?\w/i.test(script));
  const overHttps = (script: string) => /\ssrc=["']?https:/i.test(script);
  const overHttp = (script: string) => /\ssrc=["']?(?:http:)?\/\//i.test(script);

  if (unpinned.some(overHttp)) return -50;
  if (unpinned.some(overHttps)) return -5;
  if (scripts.some(overHttp)) return -20;
  return unpinned.length < scripts.length ? 5 : 0;
}

const REFERRER_POLICIES: Record<string, number> = {
  "no-referrer": 5,
  "same-origin": 5,
  "strict-origin": 5,
  "strict-origin-when-cross-origin": 5,
  origin: -5,
  "origin-when-cross-origin": -5,
  "unsafe-url": -5,
  "no-referrer-when-downgrade": -5,
};

function referrerPolicy({ headers }: Visit): number {
  const policies = headers.get("referrer-policy")?.toLowerCase().split(/ *, */);
  if (!policies) return 0;
  return policies.map((policy) => REFERRER_POLICIES[policy]).findLast((points) => points !== undefined) ?? -5;
}

const RESOURCE_POLICIES: Record<string, number> = { "same-origin": 10, "same-site": 10, "cross-origin": 0, "": 0 };

function resourcePolicy({ headers }: Visit): number {
  return RESOURCE_POLICIES[(headers.get("cross-origin-resource-policy") ?? "").toLowerCase()] ?? -5;
}

/** By the documented rules; the code of 1.4.8 loses the origin it sent and always scores 0. */
function resourceSharing({ preflight }: Visit): number {
  const allowsForeignOrigin = preflight.get("access-control-allow-origin") === FOREIGN_ORIGIN;
  return allowsForeignOrigin && preflight.get("access-control-allow-credentials")?.toLowerCase() === "true" ? -50 : 0;
}

function contentTypeOptions({ headers }: Visit): number {
  return headers.get("x-content-type-options")?.toLowerCase() === "nosniff" ? 0 : -5;
}

// The tenth rule, redirection from HTTP to HTTPS on the same host (0 points), is up to the proxy that terminates TLS.
const RULES = {
  "content-security-policy": contentSecurityPolicy,
  cookies,
  "cross-origin-resource-policy": resourcePolicy,
  "cross-origin-resource-sharing": resourceSharing,
  "referrer-policy": referrerPolicy,
  "strict-transport-security": strictTransportSecurity,
  "subresource-integrity": subresourceIntegrity,
  "x-content-type-options": contentTypeOptions,
  "x-frame-options": frames,
};

/** The points for each rule, and the total score: bonus points only count for a site that scores 90 without them. */
export function observatory(visit: Visit): { score: number; points: Record<string, number> } {
  if (/<meta[^>]+(?:http-equiv|name="referrer")/i.test(visit.html))
    throw new Error("Policies in the HTML aren't scored");
  const points = Object.fromEntries(Object.entries(RULES).map(([name, rule]) => [name, rule(visit)]));
  const sum = (some: number[]) => some.reduce((total, each) => total + each, 100);
  const withoutBonus = sum(Object.values(points).filter((each) => each < 0));
  return { score: Math.max(0, withoutBonus < 90 ? withoutBonus : sum(Object.values(points))), points };
}
