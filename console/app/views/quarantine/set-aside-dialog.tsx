import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { useApi, useMe } from "#console/app/http/use-api.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { SetAside, SetAsidePreview } from "#console/contract/people.ts";
import { may } from "#console/contract/roles.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";

interface SetAsideDialogProps {
  query: string;
  onDone: (outcome: string) => void;
  onClose: () => void;
}

/** Shows who would be set aside before setting them aside. */
export function SetAsideDialog({ query, onDone, onClose }: SetAsideDialogProps) {
  const me = useMe();
  const [withConfirmed, setWithConfirmed] = useState(false);
  // Not refetched, so that the people set aside are the people shown.
  const preview = useApi<SetAsidePreview>(`/api/set-aside/preview?${query}`, {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { people = 0, confirmed = 0, upTo } = preview.data ?? {};
  const chosen = people - (withConfirmed ? 0 : confirmed);
  const filter = Object.fromEntries(new URLSearchParams(query));
  return (
    <ChangeDialog
      title={preview.data ? `Set ${peopleIn(chosen)} aside?` : "Set aside?"}
      action="Set aside"
      isDestructive
      isDisabled={chosen === 0}
      change={() => post<SetAside>("/api/set-aside", { filter, upTo, withConfirmed })}
      onDone={({ setAside }) => onDone(`Set ${peopleIn(setAside)} aside. Quarantine can bring them back.`)}
      progress={<p role="status">Setting people aside…</p>}
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
            {who.confirmed > 0 && me.data && may(me.data.role, "erase") && (
              <label>
                <input
                  type="checkbox"
                  checked={withConfirmed}
                  onChange={({ target }) => setWithConfirmed(target.checked)}
                />{" "}
                Also set aside {formatNumber(who.confirmed)} who confirmed their address
              </label>
            )}
            <p>They leave the list and get no email. You can undo this for 30 days; then they are deleted.</p>
          </>
        )}
      </Loaded>
    </ChangeDialog>
  );
}

const peopleIn = (people: number) => pluralize(people, "person", "people");

const ranked = (names: SetAsidePreview["hours"]) =>
  names.map(({ name, people }) => `${name}: ${formatNumber(people)}`).join(", ");
