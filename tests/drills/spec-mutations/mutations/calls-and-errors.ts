import type { MutationRow } from "#tests/drills/spec-mutations/mutations.ts";

const BACKDROP = "site/backdrop/backdrop.tsx";
const QUERY_CLIENT = "site/http/query-client.ts";
const REQUEST = "site/http/request.ts";
const USE_JOIN = "site/waitlist/use-join.ts";

/** Sections 7 and 8 of the specification. */
export const CALLS_AND_ERRORS: MutationRow[] = [
  ["7.1", "a PUT request", USE_JOIN, 'send("POST"', 'send("PUT"'],
  ["7.1", "the body isn't JSON", REQUEST, "body: JSON.stringify(body)", "body: String(body)"],
  ["7.1", "the response isn't read as JSON", USE_JOIN, ".json()", ".text() as never"],
  ["7.2", "stats are fetched on focus", QUERY_CLIENT, "refetchOnWindowFocus: false", 'refetchOnWindowFocus: "always"'],
  ["7.2", "stats are fetched every minute", QUERY_CLIENT, "refetchInterval: false", "refetchInterval: 60_000"],
  [
    "7.3",
    "a content type without a body",
    REQUEST,
    "? headers && { headers }",
    '? { headers: { "content-type": "application/json", ...headers } }',
  ],
  ["7.3", "a body without its content type", REQUEST, '"content-type": "application/json", ', ""],
  ["7.4", "no credentials", REQUEST, 'credentials: "include",', ""],
  ["7.5", "a 4xx is a success", REQUEST, "!response.ok", "response.status >= 500"],
  ["7.5", "a 5xx is a success", REQUEST, "!response.ok", "response.status < 500 && !response.ok"],
  ["7.5", "a 404 is a success", REQUEST, "!response.ok", "!response.ok && response.status !== 404"],
  ["7.6", "only the key's first segment counts", QUERY_CLIENT, 'queryKey.join("/")', "String(queryKey[0])"],
  ["7.7", "401 is null by default", QUERY_CLIENT, 'readJson({ on401: "throw" })', 'readJson({ on401: "null" })'],
  ["7.7", "401 is an error where configured as null", QUERY_CLIENT, "return null;", "throw reason;"],
  [
    "7.7",
    "any failure that mentions 401 becomes null",
    QUERY_CLIENT,
    'reason.message.startsWith("401: ")',
    'reason.message.includes("401")',
  ],
  ["7.8", "data is refetched every minute", QUERY_CLIENT, "refetchInterval: false", "refetchInterval: 60_000"],
  ["7.8", "data is refetched on focus", QUERY_CLIENT, "refetchOnWindowFocus: false", 'refetchOnWindowFocus: "always"'],
  ["7.8", "data is stale after a minute", QUERY_CLIENT, "staleTime: Number.POSITIVE_INFINITY", "staleTime: 60_000"],
  [
    "7.8",
    "queries are retried",
    QUERY_CLIENT,
    "POSITIVE_INFINITY,\n        retry: false",
    "POSITIVE_INFINITY,\n        retry: 3",
  ],
  ["7.8", "mutations are retried", QUERY_CLIENT, "mutations: { retry: false", "mutations: { retry: 3"],
  [
    "7.8",
    "queries are retried three times when the network fails",
    QUERY_CLIENT,
    "POSITIVE_INFINITY,\n        retry: false",
    "POSITIVE_INFINITY,\n        retry: (count: number, reason: Error) => count < 3 && !/^\\d/.test(reason.message)",
  ],
  ["8.1", "no colon after the status", REQUEST, "response.status}: ", "response.status} "],
  ["8.1", "nothing where the body is empty", REQUEST, " || response.statusText", ""],
  ["8.1", "the body is ignored", REQUEST, "(await response.text()) || response.statusText", "response.statusText"],
  [
    "8.1",
    "body text cut after 80 characters",
    REQUEST,
    "(await response.text()) || response.statusText",
    "(await response.text()).slice(0, 80) || response.statusText",
  ],
  ["8.2", "another phrase", "contract/sign-up.ts", '"already on the waitlist"', '"already on the list"'],
  [
    "8.2",
    "the phrase counts only with 409",
    USE_JOIN,
    "message.includes(ALREADY_JOINED)",
    'message.startsWith("409: ") && message.includes(ALREADY_JOINED)',
  ],
  ["8.3", "another title", USE_JOIN, 'title: "Error"', 'title: "Failed"'],
  ["8.3", "a default toast", USE_JOIN, 'variant: "destructive"', 'variant: "default"'],
  [
    "8.3",
    "no toast when the network fails",
    USE_JOIN,
    "onError: ({ message }) => showFormError(",
    'onError: ({ name, message }) => name === "TypeError" || showFormError(',
  ],
  ["8.4", "another title", USE_JOIN, '"Successfully joined the waitlist!"', '"Welcome!"'],
  ["8.5", "nothing in the console", BACKDROP, "console.warn(", "void ("],
  ["8.5", "no fallback", BACKDROP, 'setMode("fallback");', ""],
  [
    "8.5",
    "the visitor is told about the failure",
    BACKDROP,
    '      {mode === "fallback" && (\n        <>',
    '      {mode === "fallback" && (\n        <>\n          <p className="fixed bottom-2 left-2">Your graphics card is not supported.</p>',
  ],
];
