import { afterEach, expect, test, vi } from "vitest";
import { send } from "./request.ts";

afterEach(() => vi.unstubAllGlobals());

/** Fakes only the network. */
function respondWith(body: string | null, init?: ResponseInit) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response(body, init));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

test("a write with a body sends it as JSON, with the JSON content type", async () => {
  const fetch = respondWith("{}");
  await send("POST", "/api/waitlist", { email: "ada@example.com" });
  expect(fetch).toHaveBeenLastCalledWith("/api/waitlist", {
    method: "POST",
    credentials: "include",
    cache: "no-store",
    headers: { "content-type": "application/json" },
    body: '{"email":"ada@example.com"}',
  });
  for (const [method, body] of [
    ["PUT", {}],
    ["DELETE", []],
    ["PATCH", { nested: { text: 'a "quote"' } }],
  ] as const) {
    await send(method, "/x", body);
    expect(fetch.mock.lastCall?.[1]).toMatchObject({
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }
});

test("a write without a body sends no content type", async () => {
  const fetch = respondWith("{}");
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    await send(method, "/api/waitlist");
    expect(fetch.mock.lastCall?.[1]).toEqual({ method, credentials: "include", cache: "no-store" });
  }
});

test("every call includes credentials", async () => {
  const fetch = respondWith("{}");
  await send("GET", "/api/waitlist/stats");
  await send("POST", "/api/waitlist", {});
  await send("DELETE", "/x", undefined, { headers: { "idempotency-key": "1" } });
  expect(fetch.mock.calls.map(([, { credentials }]) => credentials)).toEqual(["include", "include", "include"]);
});

test("a failure throws the status code, a colon, a space and the body's text, all of it as it is", async () => {
  const bodies = ["what went wrong", " two\nlines\t", '{"detail":"JSON"}', "long ".repeat(10_000), "0", "ü✓"];
  for (const status of [400, 401, 404, 409, 429, 500, 503]) {
    for (const body of bodies) {
      respondWith(body, { status, statusText: "Never shown" });
      await expect(send("POST", "/x")).rejects.toThrow(new Error(`${status}: ${body}`));
    }
  }
});

test("an empty body falls back to the status text", async () => {
  for (const [status, statusText] of Object.entries({ 404: "Not Found", 502: "Bad Gateway", 500: "" })) {
    for (const body of ["", null]) {
      respondWith(body, { status: Number(status), statusText });
      await expect(send("GET", "/x")).rejects.toThrow(new Error(`${status}: ${statusText}`));
    }
  }
});

test("every status outside 2xx is a failure, and no other", async () => {
  for (let status = 200; status < 600; status += 1) {
    respondWith(null, { status });
    if (status < 300) await expect(send("POST", "/x", {})).resolves.toHaveProperty("status", status);
    else await expect(send("POST", "/x", {})).rejects.toThrow(`${status}: `);
  }
});
