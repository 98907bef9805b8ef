import { environmentManager, focusManager, MutationObserver, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { createQueryClient, readJson } from "./query-client.ts";

// On a server, TanStack Query ignores refetchInterval.
beforeAll(() => environmentManager.setIsServer(() => false));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  focusManager.setFocused(undefined);
});

function respondWith(body: string, status = 200) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response(body, { status }));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

function failWith(reason: Error) {
  const fetch = vi.fn(() => Promise.reject(reason));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

test("the read helper joins the key's segments with slashes, sends GET and parses JSON", async () => {
  const fetch = respondWith('{"data":1}');
  expect(await createQueryClient().fetchQuery({ queryKey: ["/api", "waitlist", "stats"] })).toEqual({ data: 1 });
  expect(fetch.mock.calls).toEqual([
    ["/api/waitlist/stats", { method: "GET", credentials: "include", cache: "no-store" }],
  ]);
  for (const [queryKey, path] of [
    [["/x"], "/x"],
    [["/api/waitlist", 7, "a b"], "/api/waitlist/7/a b"],
  ] as const) {
    await createQueryClient().fetchQuery({ queryKey });
    expect(fetch.mock.lastCall?.[0]).toBe(path);
  }
  respondWith("<html>");
  await expect(createQueryClient().fetchQuery({ queryKey: ["/x"] })).rejects.toThrow(SyntaxError);
});

test("401 is an error by default", async () => {
  respondWith("who are you?", 401);
  await expect(createQueryClient().fetchQuery({ queryKey: ["/x"] })).rejects.toThrow("401: who are you?");
});

test("401 becomes null where configured, and other failures stay errors", async () => {
  const query = { queryKey: ["/x"], queryFn: readJson({ on401: "null" }) };
  respondWith("who are you?", 401);
  await expect(createQueryClient().fetchQuery(query)).resolves.toBeNull();
  respondWith("", 401);
  await expect(createQueryClient().fetchQuery(query)).resolves.toBeNull();
  for (const [status, body] of Object.entries({ 400: "no", 403: "401: no", 404: "401", 500: "oops 401: " })) {
    respondWith(body, Number(status));
    await expect(createQueryClient().fetchQuery(query)).rejects.toThrow(`${status}: ${body}`);
  }
  failWith(new TypeError("401 is what it's called"));
  await expect(createQueryClient().fetchQuery(query)).rejects.toThrow(TypeError);
});

test("does not retry a failed query", async () => {
  vi.useFakeTimers();
  for (const fail of [
    ...[404, 408, 429, 500, 502, 503, 504].map((status) => () => respondWith("", status)),
    () => respondWith("<html>"),
    () => failWith(new TypeError("Failed to fetch")),
  ]) {
    const fetch = fail();
    const client = createQueryClient();
    const unsubscribe = new QueryObserver(client, { queryKey: ["/x"] }).subscribe(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.getQueryState(["/x"])?.status).toBe("error");
    expect(fetch).toHaveBeenCalledTimes(1);
    unsubscribe();
  }
});

test("does not retry a failed mutation", async () => {
  vi.useFakeTimers();
  for (const reason of [new Error("no"), new Error("503: "), new Error("429: "), new TypeError("Failed to fetch")]) {
    const mutationFn = vi.fn(() => Promise.reject(reason));
    const mutation = new MutationObserver(createQueryClient(), { mutationFn });
    const mutated = expect(mutation.mutate()).rejects.toThrow(reason.message);
    await vi.advanceTimersByTimeAsync(60_000);
    await mutated;
    expect(mutationFn).toHaveBeenCalledTimes(1);
  }
});

test("offline, queries and mutations fail instead of waiting, and reconnecting refetches nothing", () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({ networkMode: "always", refetchOnReconnect: false });
  expect(mutations).toMatchObject({ networkMode: "always" });
});

test("data never goes stale or refetches on its own, neither after a day nor on focus", async () => {
  vi.useFakeTimers();
  const fetch = respondWith("{}");
  const client = createQueryClient();
  client.mount();
  const observer = new QueryObserver(client, { queryKey: ["/x"] });
  const unsubscribe = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000);
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(observer.getCurrentResult().isStale).toBe(false);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await vi.advanceTimersByTimeAsync(1000);
  // A new observer a day later doesn't refetch either.
  await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000);
  new QueryObserver(client, { queryKey: ["/x"] }).subscribe(() => {})();
  await client.fetchQuery({ queryKey: ["/x"] });
  expect(fetch).toHaveBeenCalledTimes(1);
  unsubscribe();
  client.unmount();
});
