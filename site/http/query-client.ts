import { QueryClient, type QueryFunction } from "@tanstack/react-query";
import { send } from "./request.ts";

/** Fetches JSON from the query key's segments joined with slashes. */
export function readJson({ on401 }: { on401: "throw" | "null" }): QueryFunction<unknown> {
  return async ({ queryKey }) => {
    try {
      return await (await send("GET", queryKey.join("/"))).json();
    } catch (reason) {
      if (on401 === "null" && reason instanceof Error && reason.message.startsWith("401: ")) return null;
      throw reason;
    }
  };
}

/**
 * Data is fetched once and kept until we invalidate it; nothing is retried. Offline, a request fails immediately; by
 * default, it would stay pending until the visitor is online again.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: readJson({ on401: "throw" }),
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
