import { keepPreviousData } from "@tanstack/react-query";
import { useApi } from "#console/app/http/use-api.ts";
import { useDebounced } from "#console/app/http/use-debounced.ts";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { AudienceFields, MessageKind, Split } from "#console/contract/messages.ts";
import { formatNumber } from "#core/text/format.ts";

export function LiveSplit({ kind, audience }: { kind: MessageKind; audience: AudienceFields }) {
  const query = useDebounced(new URLSearchParams({ ...audience, kind }).toString());
  const split = useApi<Split>(`/api/audience?${query}`, {
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <div className="live-split" aria-live="polite" aria-busy={split.isFetching}>
      <Loaded query={split}>{(counted) => <AudienceSplit split={counted} />}</Loaded>
    </div>
  );
}

export function AudienceSplit({ split: { matching, recipients, refused } }: { split: Split }) {
  const values = {
    "Get the email": <strong>{formatNumber(recipients)}</strong>,
    "Don't get it": formatNumber(matching - recipients),
    ...Object.fromEntries(refused.map(({ reason, people }) => [reason, formatNumber(people)])),
  };
  return (
    <>
      <p className="reach">
        <strong>{formatNumber(recipients)}</strong> of {formatNumber(matching)} get this
      </p>
      <KeyValueList className="split refused" values={values} />
    </>
  );
}

export function SavedSplit({ id }: { id: string }) {
  const split = useApi<Split>(`/api/messages/${id}/audience`);
  return <Loaded query={split}>{(counted) => <AudienceSplit split={counted} />}</Loaded>;
}
