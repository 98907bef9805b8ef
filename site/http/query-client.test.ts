import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient, readJson } from "./query-client.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
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
    [
      "/api/waitlist/stats",
      { method: "GET", credentials: "include", cache: "no-store", signal: expect.any(AbortSignal) },
    ],
  ]);
});

test("401 is an error by default", async () => {
  respondWith("who are you?", 401);
  await expect(createQueryClient().fetchQuery({ queryKey: ["/x"] })).rejects.toThrow("401: who are you?");
});

test("401 becomes null where configured, and other failures stay errors", async () => {
  const query = { queryKey: ["/x"], queryFn: readJson({ on401: "null" }) };
  respondWith("who are you?", 401);
  expect(await createQueryClient().fetchQuery(query)).toBeNull();
  respondWith("oops", 500);
  await expect(createQueryClient().fetchQuery(query)).rejects.toThrow("500: oops");
});

test("does not retry a failed query", async () => {
  const fetch = respondWith("", 500);
  await expect(createQueryClient().fetchQuery({ queryKey: ["/x"] })).rejects.toThrow();
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("does not retry a failed mutation", async () => {
  const client = createQueryClient();
  const mutationFn = vi.fn(() => Promise.reject(new Error("no")));
  const mutation = client.getMutationCache().build(client, { ...client.getDefaultOptions().mutations, mutationFn });
  await expect(mutation.execute(undefined)).rejects.toThrow("no");
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
  const observer = new QueryObserver(client, { queryKey: ["/x"] });
  const unsubscribe = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000);
  expect(observer.getCurrentResult().isStale).toBe(false);
  expect(client.getDefaultOptions().queries).toMatchObject({ refetchOnWindowFocus: false, refetchInterval: false });
  expect(fetch).toHaveBeenCalledTimes(1);
  unsubscribe();
});
