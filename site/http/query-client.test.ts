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

test("the read helper joins the key's segments with slashes, sends GET and parses JSON", async () => {
  const fetch = respondWith('{"data":1}');
  expect(await createQueryClient().fetchQuery({ queryKey: ["/api", "waitlist", "stats"] })).toEqual({ data: 1 });
  expect(fetch.mock.calls).toEqual([
    ["/api/waitlist/stats", { method: "GET", credentials: "include", cache: "no-store" }],
  ]);
});

test("401 is an error by default", async () => {
  respondWith("who are you?", 401);
  await expect(createQueryClient().fetchQuery({ queryKey: ["/x"] })).rejects.toThrow("401: who are you?");
});

test("401 becomes null where configured, and other failures stay errors", async () => {
  const query = { queryKey: ["/x"], queryFn: readJson({ on401: "null" }) };
  respondWith("who are you?", 401);
  await expect(createQueryClient().fetchQuery(query)).resolves.toBeNull();
  respondWith("oops", 500);
  await expect(createQueryClient().fetchQuery(query)).rejects.toThrow("500: oops");
});

test("does not retry a failed query", async () => {
  vi.useFakeTimers();
  const fetch = respondWith("", 500);
  const query = expect(createQueryClient().fetchQuery({ queryKey: ["/x"] })).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(60_000);
  await query;
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("does not retry a failed mutation", async () => {
  vi.useFakeTimers();
  const mutationFn = vi.fn(() => Promise.reject(new Error("no")));
  const mutation = new MutationObserver(createQueryClient(), { mutationFn });
  const mutated = expect(mutation.mutate()).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(60_000);
  await mutated;
  expect(mutationFn).toHaveBeenCalledTimes(1);
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
  expect(fetch).toHaveBeenCalledTimes(1);
  unsubscribe();
  client.unmount();
});
