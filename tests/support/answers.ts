import { STATUS_CODES } from "node:http";
import type { Route } from "@playwright/test";
import fc from "fast-check";

/** Copied from the specification, not from the code. */
const PHRASE = "already on the waitlist";

export interface Answer {
  status: number;
  body: string;
  contentType: string;
  delayMs: number;
  /** Why the connection breaks, if it does. */
  aborted?: string | undefined;
}

export async function respond(route: Route, { status, body, contentType, delayMs, aborted }: Answer): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  await (aborted ? route.abort(aborted) : route.fulfill({ status, body, contentType }));
}

/** Draws once, because a drawn value already holds many answers. A failure prints the seed. */
export const once = <Value>(drawn: fc.Arbitrary<Value>, check: (value: Value) => Promise<void>) =>
  fc.assert(fc.asyncProperty(drawn, check), { numRuns: 1, endOnFailure: true });

/** Every status that HTTP names. */
const STATUSES = Object.keys(STATUS_CODES).map(Number);
const FAILURES = STATUSES.filter((status) => status >= 300);
const WITHOUT_BODY = [204, 205, 304];
const SUCCESSES = STATUSES.filter((status) => status >= 200 && status < 300 && !WITHOUT_BODY.includes(status));

const line = fc.string({ unit: "grapheme", maxLength: 80 });
/** Refused fields, named like our server's, with any JSON as their messages. */
const refusal = fc.array(
  fc.record({ field: fc.constantFrom("firstName", "email", "company", "website", "other"), message: fc.jsonValue() }),
);
const anyBody = fc
  .oneof(
    line,
    fc.array(line, { minLength: 2 }).map((lines) => lines.join("\n")),
    fc.json(),
    refusal.map((errors) => JSON.stringify({ errors })),
    fc.constantFrom("", '{"data":{"totalUsers":1,"companiesInterested":1}}'),
    fc.integer({ min: 10_000, max: 300_000 }).map((length) => "x".repeat(length)),
  )
  .filter((body) => !body.includes(PHRASE));
/** Not the phrase, but close. */
const nearMiss = fc.constantFrom(
  PHRASE.toUpperCase(),
  `Already${PHRASE.slice(7)}`,
  PHRASE.replace("waitlist", "Waitlist"),
);
/** The phrase anywhere: in the first line, a later one, or within JSON. */
const duplicateBody = fc.tuple(anyBody, fc.constantFrom("", " ", "\n", "\r\n\r\n"), fc.nat()).map(([body, gap, at]) => {
  const place = at % (body.length + 1);
  return `${body.slice(0, place)}${gap}${PHRASE}${gap}${body.slice(place)}`;
});

const around = {
  contentType: fc.constantFrom(
    "application/json",
    "text/plain",
    "text/html; charset=utf-8",
    "application/problem+json",
  ),
  delayMs: fc.nat(20),
};
const answer = (status: number, body: fc.Arbitrary<string>) =>
  fc.record({ status: fc.constant(status), body, ...around });

const ABORTS = ["connectionreset", "timedout", "internetdisconnected"];

/** Seven of the failure statuses with a body, besides 409; a unit test tries all of them. */
const someStatuses = fc.shuffledSubarray(
  FAILURES.filter((status) => status !== 409 && !WITHOUT_BODY.includes(status)),
  { minLength: 7, maxLength: 7 },
);

/** The specification's "message contains the phrase": our server's 409, and other statuses. */
export const duplicates = someStatuses.chain((statuses) =>
  fc.tuple(...[409, ...statuses].map((status) => answer(status, duplicateBody))),
);

/** The specification's "any other failure": failure statuses, invalid JSON, and broken connections. */
export const otherFailures = someStatuses.chain((statuses) =>
  fc.tuple(
    answer(409, nearMiss),
    ...statuses.map((status) => answer(status, anyBody)),
    ...WITHOUT_BODY.map((status) => answer(status, fc.constant(""))),
    answer(
      200,
      anyBody.filter((body) => !isJson(body)),
    ),
    ...ABORTS.map((aborted) => answer(0, fc.constant("")).map((broken) => ({ ...broken, aborted }))),
  ),
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A success with any JSON. */
export const success = fc.constantFrom(...SUCCESSES).chain((status) => answer(status, fc.json()));

const total = fc.oneof(fc.nat(99), fc.nat(999_999_999), fc.maxSafeNat());
const missing = fc.constantFrom(undefined, null, "many", {});
const totals = fc.record({
  totalUsers: fc.oneof({ weight: 4, arbitrary: total }, missing),
  companiesInterested: fc.oneof({ weight: 4, arbitrary: total }, missing),
});
export interface Stats {
  answer: Answer;
  /** The totals in a successful response. */
  totals?: { totalUsers?: unknown; companiesInterested?: unknown };
}
/** Stats with two totals, either of which may be missing. */
export const stats: fc.Arbitrary<Stats> = totals.chain((data) =>
  answer(200, fc.constant(JSON.stringify({ data }))).map((answer) => ({ answer, totals: data })),
);
/** Failed requests for stats: any failure status, or a broken connection. */
export const noStats: fc.Arbitrary<Stats> = fc
  .record({
    status: fc.constantFrom(...FAILURES),
    body: anyBody,
    ...around,
    aborted: fc.option(fc.constantFrom(...ABORTS), { nil: undefined }),
  })
  .map((answer) => ({ answer }));
