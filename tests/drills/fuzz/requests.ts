import fc from "fast-check";
import { aSignUp } from "#tests/support/sign-ups.ts";

export interface Route {
  method: string;
  url: string;
}

/** Marks all visitor input, so that the drill can detect it in the log. */
export const SENTINEL = "zqxmark";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constantFrom("", " ", "\u0000", "\ud800", "\u202e", "x".repeat(20_000), "=cmd()", "'; drop table sign_ups; --"),
);
const sentinelText = anyText.map((text) => `${SENTINEL}${text}`);
const anyValue = fc.oneof(sentinelText, fc.jsonValue(), fc.constantFrom(null, true, 1e308, -0, [], {}, [[[[]]]]));
const fieldNames = fc.constantFrom(...Object.keys(aSignUp()), "__proto__", "constructor", "toString", "extra", "");

/** A sign-up with some fields malformed, some missing and some extra. */
const malformedSignUps = fc
  .tuple(
    fc.array(fc.tuple(fieldNames, anyValue), { maxLength: 3 }),
    fc.subarray(Object.keys(aSignUp()), { maxLength: 2 }),
  )
  .map(([changes, missing]) => {
    const fields = Object.entries(aSignUp({ firstName: SENTINEL })).filter(([name]) => !missing.includes(name));
    // Serialized by hand, because an object can't have duplicate fields, or one named __proto__.
    return `{${[...fields, ...changes].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
  });
const truncated = (text: string) => fc.nat(text.length).map((end) => text.slice(0, end));
const manyKeys = (keys: number) => `{${Array.from({ length: keys }, (_, i) => `"${i}":1`).join()}}`;

const bodies = fc.oneof(
  { weight: 6, arbitrary: malformedSignUps },
  malformedSignUps.chain(truncated),
  fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value)),
  fc.nat(7000).map((depth) => "[".repeat(depth)),
  fc.nat(2500).map(manyKeys),
  fc.array(fc.tuple(fieldNames, anyText)).map((fields) => new URLSearchParams(fields).toString()),
  anyText,
);
const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=x";
const OTHER_TYPES = ["application/json; charset=utf-16", "text/plain", "*/*", "", "application/problem+json", "\u00ff"];
const contentType = fc.oneof(
  { weight: 2, arbitrary: fc.constant(JSON_TYPE) },
  fc.constantFrom(FORM, MULTIPART, ...OTHER_TYPES),
);
/** Bodies of mail providers' one-click unsubscribes (RFC 8058), in both encodings, and of the member page's buttons. */
const multipart = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
const forms = fc.oneof(
  fc
    .constantFrom("List-Unsubscribe=One-Click", "wanted=yes", "wanted=no", "email=ada%40example.com", "")
    .map((body) => ({ type: FORM, body })),
  fc.constant({ type: FORM, body: "firstName=Ada&lastName=King&company=Initech" }),
  fc.constant({ type: MULTIPART, body: multipart }),
  anyText.map((text) => ({ type: FORM, body: new URLSearchParams({ wanted: text }).toString() })),
);
const content = fc.oneof(forms, fc.record({ type: contentType, body: bodies }));

const OTHER_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const HEADERS = [
  ...["accept-encoding", "if-none-match", "range", "accept", "cookie", "x-forwarded-for", "idempotency-key"],
  ...["referer", "origin", "sec-fetch-site", "te", "x-http-method-override"],
];
const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
});
const headers = fc.array(fc.tuple(fc.constantFrom(...HEADERS), headerValue), { maxLength: 3 });
const query = fc.constantFrom("", "", "", "?", "?a=b&a[]=c", "?__proto__=1", "?%zz", `?${"a".repeat(300)}`);

/** Well-formed requests to a route with arbitrary content, as raw bytes. Most use the route's own method. */
export function requestsTo(route: Route, tokens: fc.Arbitrary<string>): fc.Arbitrary<{ route: Route; wire: string }> {
  const { method: own, url } = route;
  if (/[:*]/.test(url.replace(":token", ""))) throw new Error(`The fuzzer knows no values for ${url}`);
  const method = fc.oneof({ weight: 9, arbitrary: fc.constant(own) }, fc.constantFrom(...OTHER_METHODS));
  return fc.tuple(method, tokens, query, headers, content).map(([sent, token, search, fields, { type, body }]) => {
    const hasBody = sent !== "GET" && sent !== "HEAD";
    const bytes = hasBody ? Buffer.from(body, "utf8").toString("latin1") : "";
    const head = [
      `${sent} ${url.replace(":token", () => token)}${search} HTTP/1.1`,
      "host: localhost",
      ...(hasBody ? [`content-type: ${type}`, `content-length: ${bytes.length}`] : []),
      ...fields.map(([name, value]) => `${name}: ${value}`),
    ];
    return { route, wire: `${head.join("\r\n")}\r\n\r\n${bytes}` };
  });
}

/** Bytes that are invalid HTTP, or barely valid. */
export const malformedBytes = (wires: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 400 }),
    wires.chain((wire) =>
      fc.tuple(fc.nat(wire.length), headerValue).map(([at, junk]) => wire.slice(0, at) + junk + wire.slice(at)),
    ),
    fc.constantFrom(
      "GET / HTTP/9.9\r\n\r\n",
      "GET  / HTTP/1.1\r\n\r\n",
      `GET /${"a".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
      `GET / HTTP/1.1\r\n${"x: y\r\n".repeat(3000)}\r\n`,
      "POST /api/waitlist HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /api/waitlist HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
      "POST /api/waitlist HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
      "GET http://[::1 HTTP/1.1\r\nhost: x\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n",
      "CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n",
      "GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
      "GET / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n\r\n",
    ),
  );
