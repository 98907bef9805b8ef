import { useQuery } from "@tanstack/react-query";
import { get } from "#console/app/http/request.ts";
import type { MessageSettings } from "#console/contract/messages.ts";

/** What can be sent from here. It doesn't change while the console runs. */
export function useMessageSettings() {
  return useQuery({
    queryKey: ["message-settings"],
    queryFn: ({ signal }) => get<MessageSettings>("/api/message-settings", signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
