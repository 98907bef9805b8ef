import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "#console/app/http/request.ts";
import { useDebounced } from "#console/app/http/use-debounced.ts";
import { Loaded } from "#console/app/ui/states.tsx";
import type { AudienceFields, MessageKind, Split, SplitEstimate } from "#console/contract/messages.ts";
import { AudienceEstimate } from "./audience-estimate.tsx";
import { AudienceSplit } from "./audience-split.tsx";

const TYPING_MS = 400;

/** The split of filters that may not be saved yet. */
export function LiveSplit({ kind, audience }: { kind: MessageKind; audience: AudienceFields }) {
  const query = useDebounced(new URLSearchParams({ ...audience, kind }).toString(), TYPING_MS);
  const split = useQuery({
    queryKey: ["audience", query],
    queryFn: ({ signal }) => get<Split | SplitEstimate>(`/api/audience?${query}`, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <div className="live-split" aria-live="polite" aria-busy={split.isFetching}>
      <Loaded query={split}>
        {(counted) =>
          "estimate" in counted ? (
            <AudienceEstimate {...counted.estimate} limit={Number(audience.next ?? Number.POSITIVE_INFINITY)} />
          ) : (
            <AudienceSplit split={counted} />
          )
        }
      </Loaded>
    </div>
  );
}

/** The split of a saved draft. */
export function SavedSplit({ id }: { id: string }) {
  const split = useQuery({
    queryKey: ["message", id, "audience"],
    queryFn: ({ signal }) => get<Split>(`/api/messages/${id}/audience`, signal),
  });
  return <Loaded query={split}>{(counted) => <AudienceSplit split={counted} />}</Loaded>;
}
