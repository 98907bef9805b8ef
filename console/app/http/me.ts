import { queryOptions } from "@tanstack/react-query";
import type { Me } from "#console/contract.ts";
import { get } from "./request.ts";

/** Who uses the console and what it offers, which doesn't change while it runs. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => get<Me>("/api/me"),
  staleTime: Number.POSITIVE_INFINITY,
});
