// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is replaced has template strings.
import type { Rules } from "./rules.ts";

const LIMITS_TEST = "tests/integration/limits.test.ts";
const TIERS = "server/http/network-tiers.ts";
const ROUTE_LIMITS_TEST = "tests/integration/route-limits.test.ts";
const LOG_TEST = "core/service/log.test.ts";
const BY_CONSENTS: Rules[string][1] = [
  ROUTE_LIMITS_TEST,
  "one link can subscribe ten times an hour, however many clients use it, and unsubscribe every time",
];

/** What a limit refuses, and what a log, an error or a terminal may show. */
export const LIMIT_RULES: Rules = {
  "A client over its limit gets 429": [
    ["server/http/rate-limits.ts", "      max,\n", "      max: max + 1,\n"],
    [LIMITS_TEST, "responds 429 with Retry-After past the limit, without affecting other clients or reads"],
  ],
  "An IPv6 /64 is one client": [
    [TIERS, "networkOf(ip, 32, 64)", "ip"],
    [LIMITS_TEST, "server limits an IPv6 /64, however its addresses are written"],
  ],
  "A /24 or a /48 gets twenty times the limit of a client": [
    [TIERS, "PER_NETWORK = 20", "PER_NETWORK = 21"],
    [LIMITS_TEST, "server limits an IPv4 /24"],
  ],
  "X-Forwarded-For is believed only from trusted proxies": [
    ["server/app.ts", "trustProxy: trustProxy ?? false", "trustProxy: true"],
    [LIMITS_TEST, "believes X-Forwarded-For only from trusted proxies"],
  ],
  "No network with strangers in it may be trusted as a proxy": [
    ["core/config/setting-rules.ts", "return Number(bits) >= min;", "return true;"],
    ["core/config/config.test.ts", "TRUST_PROXY must name your own proxies"],
  ],
  "Attempts with an address that is on the list are limited": [
    [
      "server/routes/waitlist.ts",
      "const exceeded = await limit.address(request);",
      "const exceeded = undefined as never as { retryAfterSeconds: number };",
    ],
    [LIMITS_TEST, "counts attempts with an address that is on the list, across spellings and clients"],
  ],
  "Strangers in the honeypot don't use up an address's limit": [
    [
      "server/routes/waitlist.ts",
      '        case "quarantined":\n',
      '        case "quarantined":\n          await limit.address(request);\n',
    ],
    [LIMITS_TEST, "never keeps a person off the list because someone else used their address in the honeypot"],
  ],
  "Every route declares its rate limit": [
    ["server/http/route-limits.ts", "if (!config?.limit) throw", "if (!url) throw"],
    [ROUTE_LIMITS_TEST, "a route that declares no rate limit fails the start"],
  ],
  "A link can subscribe ten times an hour": [
    ["server/routes/member-limits.ts", "MAX_CONSENTS_PER_HOUR = 10", "MAX_CONSENTS_PER_HOUR = 11"],
    BY_CONSENTS,
  ],
  "Unsubscribing has no limit": [["server/routes/members.ts", 'wanted === "no" ? undefined : (', "("], BY_CONSENTS],
  "No row of the database reaches the log": [
    [
      "core/service/log.ts",
      "const { table, column, constraint, routine } = error;",
      "const { table, column, constraint, detail: routine } = error;",
    ],
    [LOG_TEST, "logs a database error by its code, without the row that failed"],
  ],
  "A secret is never repeated in an error": [
    ["core/config/config.ts", 'SECRETS.has(name) ? "" : ', ""],
    ["core/config/config.test.ts", "never repeats a secret in an error message"],
  ],
  "No link is logged": [
    [
      "server/http/errors.ts",
      "} else if (body.status >= 500) request.log.error(error);",
      "} else if (body.status >= 500) request.log.error(error, request.url);",
    ],
    ["tests/integration/membership.test.ts", "no token is logged, even when a request fails"],
  ],
  "A name can't move the terminal's cursor": [
    ["cli/terminal/escape-invisible.ts", "[\\p{Cc}\\p{Cf}", "[\\p{Cf}"],
    [
      "cli/terminal/escape-invisible.test.ts",
      "tables and lists show control, bidirectional and zero-width characters as escapes",
    ],
  ],
};
