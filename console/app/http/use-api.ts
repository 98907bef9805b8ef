import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { MessageSettings } from "#console/contract/messages.ts";
import type { Me } from "#console/contract/operators.ts";
import type { Question } from "#console/contract/people.ts";
import { REFETCH_INTERVAL_MS } from "./idle.ts";
import { get } from "./request.ts";

export function useApi<Body>(path: string, options?: Omit<UseQueryOptions<Body>, "queryKey" | "queryFn">) {
  return useQuery({ queryKey: [path], queryFn: ({ signal }) => get<Body>(path, signal), ...options });
}

/** Refetches everything after a change, and after a failure too, because another operator may have been first. */
export function useChange<Change = void>(change: (change: Change) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => client.invalidateQueries() });
}

/** For data that others change too. */
export const LIVE = { refetchInterval: REFETCH_INTERVAL_MS };

/** For data that doesn't change while the console runs. */
const readOnce = { staleTime: Number.POSITIVE_INFINITY };

export const useMe = () => useApi<Me>("/api/me", readOnce);

export const useMessageSettings = () => useApi<MessageSettings>("/api/message-settings", readOnce);

/** The questions, for the texts of answers; empty until loaded. */
export const useQuestions = () => useApi<Question[]>("/api/questions").data ?? [];
