import { afterEach, expect, test, vi } from "vitest";
import { send } from "./request.ts";

afterEach(() => vi.unstubAllGlobals());

/** The network is the only thing faked here. */
function respondWith(body: string | null, init?: ResponseInit) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response(body, init));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

test("a write with a body sends it as JSON, with the JSON content type", async () => {
  const fetch = respondWith("{}");
  await send("POST", "/api/waitlist", { email: "ada@example.com" });
  expect(fetch).toHaveBeenCalledExactlyOnceWith("/api/waitlist", {
    method: "POST",
    credentials: "include",
    cache: "no-store",
    headers: { "content-type": "application/json" },
    body: '{"email":"ada@example.com"}',
  });
});

test("a write without a body sends no content type", async () => {
  const fetch = respondWith("{}");
  await send("POST", "/api/waitlist");
  expect(fetch.mock.calls[0]?.[1]).toEqual({
    method: "POST",
    credentials: "include",
    cache: "no-store",
  });
});

test("headers are sent with and without a body", async () => {
  const fetch = respondWith("{}");
  await send("DELETE", "/x", undefined, { "idempotency-key": "1" });
  expect(fetch.mock.calls[0]?.[1].headers).toEqual({ "idempotency-key": "1" });
  await send("POST", "/x", {}, { "idempotency-key": "1" });
  expect(fetch.mock.calls[1]?.[1].headers).toEqual({ "content-type": "application/json", "idempotency-key": "1" });
});

test("every call includes credentials", async () => {
  const fetch = respondWith("{}");
  await send("GET", "/api/waitlist/stats");
  await send("POST", "/api/waitlist", {});
  await send("DELETE", "/x", undefined, { "idempotency-key": "1" });
  expect(fetch.mock.calls.map(([, { credentials }]) => credentials)).toEqual(["include", "include", "include"]);
});

test("a failure throws the status code, a colon, a space and the body's text", async () => {
  for (const status of [400, 409, 429, 500, 503]) {
    respondWith("what went wrong", { status, statusText: "Never shown" });
    await expect(send("GET", "/x")).rejects.toThrow(new Error(`${status}: what went wrong`));
  }
});

test("an empty body falls back to the status text", async () => {
  respondWith("", { status: 502, statusText: "Bad Gateway" });
  await expect(send("GET", "/x")).rejects.toThrow(new Error("502: Bad Gateway"));
});
