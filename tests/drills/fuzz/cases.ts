import fc from "fast-check";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

/** Part of everything that a visitor could have typed, so it must never appear in the log. */
export const SENTINEL = "zqxmark";

export const anyText = fc.oneof(
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
    // Serialized by hand, because an object can't have a field twice, or one named __proto__.
    return `{${[...fields, ...changes].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
  });

const truncated = (text: string) => fc.nat(text.length).map((end) => text.slice(0, end));

export const bodies = fc.oneof(
  { weight: 5, arbitrary: malformedSignUps },
  { weight: 1, arbitrary: malformedSignUps.chain(truncated) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.nat(7000).map((depth) => "[".repeat(depth)) },
  {
    weight: 1,
    arbitrary: fc.nat(2500).map((keys) => `{${Array.from({ length: keys }, (_, i) => `"${i}":1`).join()}}`),
  },
  {
    weight: 2,
    arbitrary: fc.array(fc.tuple(fieldNames, anyText)).map((fields) => new URLSearchParams(fields).toString()),
  },
  { weight: 1, arbitrary: anyText },
);
export const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant("application/json") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...["application/x-www-form-urlencoded", "application/json; charset=utf-16", "text/plain", "application/xml"],
      ...["multipart/form-data; boundary=x", "application/json;", "*/*", "", "application/problem+json", "\u00ff"],
    ),
  },
);
export const headerValue = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
});

/** Well-formed HTTP requests with arbitrary content, as raw bytes. */
export const anyRequest = fc
  .tuple(bodies, contentType, headerValue, headerValue)
  .map(([text, type, key, forwarded]) => {
    const bytes = Buffer.from(text, "utf8").toString("latin1");
    const head = [
      `POST ${WAITLIST_PATH} HTTP/1.1`,
      "host: localhost",
      `content-type: ${type}`,
      `content-length: ${bytes.length}`,
      ...(key.length % 3 === 0 ? [`idempotency-key: ${key}`] : []),
      ...(forwarded.length % 3 === 0 ? [`x-forwarded-for: ${forwarded}`] : []),
    ];
    return `${head.join("\r\n")}\r\n\r\n${bytes}`;
  });

/** Bytes that are not valid HTTP, or barely. */
export const anyBytes = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 400 }),
  anyRequest.chain((wire) =>
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
