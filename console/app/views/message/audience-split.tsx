import { keepPreviousData } from "@tanstack/react-query";
import { useApi } from "#console/app/http/use-api.ts";
import { useDebounced } from "#console/app/http/use-debounced.ts";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { countText } from "#console/app/views/people-count.tsx";
import type { AudienceFields, MessageKind, Split, SplitEstimate } from "#console/contract/messages.ts";
import { formatNumber, pluralize } from "#core/format.ts";

const TYPING_MS = 400;

/** For filters that may not be saved yet or, once its audience is final, for a saved message. */
export function useSplit(kind: MessageKind, audience: AudienceFields, finalId: string | undefined) {
  const live = `/api/audience?${new URLSearchParams({ ...audience, kind })}`;
  const path = useDebounced(finalId ? `/api/messages/${finalId}/audience` : live, TYPING_MS);
  return useApi<Split | SplitEstimate>(path, { placeholderData: keepPreviousData, retry: false });
}

interface LiveSplitProps {
  split: ReturnType<typeof useSplit>;
  /** An invitation goes to at most this many people. */
  limit: number;
}

/** "847 of 3,003 get this" */
export function Reach({ split: { data }, limit }: LiveSplitProps) {
  if (!data) return null;
  const isEstimate = "estimate" in data;
  const { recipients, matching } = isEstimate ? data.estimate : data;
  const of = isEstimate ? "" : ` of ${formatNumber(matching)}`;
  return (
    <p className="reach">
      <strong>
        {isEstimate ? countText({ people: Math.min(recipients, limit), isEstimate }) : formatNumber(recipients)}
      </strong>
      {of} get this
    </p>
  );
}

export function LiveSplit({ split, limit }: LiveSplitProps) {
  return (
    <div className="live-split" aria-live="polite" aria-busy={split.isFetching}>
      <Loaded query={split}>
        {(counted) =>
          "estimate" in counted ? (
            <AudienceEstimate estimate={counted.estimate} limit={limit} />
          ) : (
            <AudienceSplit split={counted} />
          )
        }
      </Loaded>
    </div>
  );
}

export function AudienceSplit({ split: { matching, recipients, refused } }: { split: Split }) {
  const values = {
    "Get the email": <strong>{formatNumber(recipients)}</strong>,
    "Don't get it": formatNumber(matching - recipients),
  };
  return (
    <KeyValueList className="split" values={values}>
      {refused.map(({ reason, people }) => (
        <div key={reason} className="reason">
          <dt>{reason}</dt>
          <dd>{formatNumber(people)}</dd>
        </div>
      ))}
    </KeyValueList>
  );
}

/** Estimates the recipients until the review counts them. An invitation goes to at most `limit` people. */
function AudienceEstimate({ estimate: { matching, recipients }, limit }: SplitEstimate & { limit: number }) {
  const about = (people: number) => countText({ people, isEstimate: true });
  const getIt = limit <= recipients ? `Up to ${pluralize(limit, "person", "people")}` : about(recipients);
  return (
    <>
      <KeyValueList
        className="split"
        values={{ "Get the email": <strong>{getIt}</strong>, "Match the filters": about(matching) }}
      />
      <p className="quiet">Estimated, because the list is long. “Review and send…” counts exactly.</p>
    </>
  );
}

export function SavedSplit({ id }: { id: string }) {
  const split = useApi<Split>(`/api/messages/${id}/audience`);
  return <Loaded query={split}>{(counted) => <AudienceSplit split={counted} />}</Loaded>;
}
