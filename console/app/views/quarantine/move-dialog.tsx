import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { useApi } from "#console/app/http/use-api.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Moved, MovePreview } from "#console/contract/people.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";

interface MoveDialogProps {
  query: string;
  onDone: (outcome: string) => void;
  onClose: () => void;
}

/** Shows who would be moved before moving them. */
export function MoveDialog({ query, onDone, onClose }: MoveDialogProps) {
  const [withConfirmed, setWithConfirmed] = useState(false);
  // Not refetched, so that the people moved are the people shown.
  const preview = useApi<MovePreview>(`/api/moves/preview?${query}`, {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { people = 0, confirmed = 0, upTo } = preview.data ?? {};
  const moving = pluralize(people - (withConfirmed ? 0 : confirmed), "person", "people");
  const filter = Object.fromEntries(new URLSearchParams(query));
  return (
    <ChangeDialog
      title={preview.data ? `Move ${moving} to quarantine?` : "Move to quarantine?"}
      action="Move"
      isDestructive
      isDisabled={moving.startsWith("0 ")}
      change={() => post<Moved>("/api/moves", { filter, upTo, withConfirmed })}
      onDone={({ moved }) => onDone(`Moved ${pluralize(moved, "person", "people")} to quarantine.`)}
      progress={<p role="status">Moving people…</p>}
      onClose={onClose}
    >
      <Loaded query={preview}>
        {(who) => (
          <>
            <KeyValueList
              values={{
                "Busiest hours (UTC)": ranked(who.hours),
                "Mail domains": ranked(who.domains),
                Campaigns: ranked(who.campaigns),
                Confirmed: formatNumber(who.confirmed),
                Invited: formatNumber(who.invited),
                "With friends": formatNumber(who.withFriends),
              }}
            />
            {who.confirmed > 0 && (
              <label>
                <input
                  type="checkbox"
                  checked={withConfirmed}
                  onChange={({ target }) => setWithConfirmed(target.checked)}
                />{" "}
                Also move {formatNumber(who.confirmed)} who confirmed their address
              </label>
            )}
            <p>They leave the list and get no email. You can undo this for 30 days; then they are deleted.</p>
          </>
        )}
      </Loaded>
    </ChangeDialog>
  );
}

const ranked = (names: MovePreview["hours"]) =>
  names.map(({ name, people }) => `${name}: ${formatNumber(people)}`).join(", ");
