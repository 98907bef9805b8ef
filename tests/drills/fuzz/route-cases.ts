import fc from "fast-check";
import { anyText, bodies, contentType, headerValue } from "./cases.ts";

export interface Route {
  method: string;
  url: string;
}

export interface RouteCase {
  /** The route it is meant for. */
  route: Route;
  type: string;
  /** The request as raw bytes. */
  wire: string;
}

export const FORM = "application/x-www-form-urlencoded";
export const MULTIPART = "multipart/form-data; boundary=x";

/** What mail providers send to unsubscribe (RFC 8058), in both encodings, and what the page's buttons send. */
const FORMS = [
  { type: FORM, body: "List-Unsubscribe=One-Click" },
  {
    type: MULTIPART,
    body: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  },
  { type: FORM, body: "wanted=yes" },
  { type: FORM, body: "wanted=no" },
  { type: FORM, body: "email=ada%40example.com" },
  { type: FORM, body: "firstName=Ada&lastName=King&company=Initech" },
  { type: FORM, body: "" },
];
const content = fc.oneof(
  fc.constantFrom(...FORMS),
  fc.record({ type: contentType, body: bodies }),
  fc.record({ type: fc.constant(FORM), body: anyText.map((text) => new URLSearchParams({ wanted: text }).toString()) }),
);

const OTHER_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const HEADERS = [
  ...["accept-encoding", "if-none-match", "range", "accept", "cookie", "x-forwarded-for", "idempotency-key"],
  ...["referer", "origin", "sec-fetch-site", "te", "x-http-method-override"],
];
const headers = fc.array(fc.tuple(fc.constantFrom(...HEADERS), headerValue), {
  maxLength: 3,
});
const query = fc.constantFrom("", "", "", "?", "?a=b&a[]=c", "?__proto__=1", "?%zz", `?${"a".repeat(300)}`);

/** Requests to a route of the app, most of them with its own method. */
export function requestsTo(route: Route, tokens: fc.Arbitrary<string>): fc.Arbitrary<RouteCase> {
  const { method: own, url } = route;
  if (/[:*]/.test(url.replace(":token", ""))) throw new Error(`The fuzzer knows no values for ${url}`);
  const method = fc.oneof(
    { weight: 9, arbitrary: fc.constant(own) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_METHODS) },
  );
  return fc.tuple(method, tokens, query, headers, content).map(([sent, token, search, fields, { type, body }]) => {
    const hasBody = sent !== "GET" && sent !== "HEAD";
    const bytes = hasBody ? Buffer.from(body, "utf8").toString("latin1") : "";
    const head = [
      `${sent} ${url.replace(":token", () => token)}${search} HTTP/1.1`,
      "host: localhost",
      ...(hasBody ? [`content-type: ${type}`, `content-length: ${bytes.length}`] : []),
      ...fields.map(([name, value]) => `${name}: ${value}`),
    ];
    return { route, type: hasBody ? type : "", wire: `${head.join("\r\n")}\r\n\r\n${bytes}` };
  });
}
