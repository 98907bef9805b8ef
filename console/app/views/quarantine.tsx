import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { whileActive } from "#console/app/http/activity.ts";
import { get, post } from "#console/app/http/request.ts";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Empty, Loaded } from "#console/app/ui/states.tsx";
import type { QuarantineEntry } from "#console/contract.ts";
import { formatDateTime, pluralize } from "#core/format.ts";

export function Quarantine({ isReadOnly }: { isReadOnly: boolean }) {
  const entries = useQuery({
    queryKey: ["quarantine"],
    queryFn: ({ signal }) => get<QuarantineEntry[]>("/api/quarantine", signal),
    refetchInterval: whileActive,
  });
  return (
    <>
      <title>Quarantine</title>
      <h1>Quarantine</h1>
      <p className="quiet lead">
        Sign-ups that filled the hidden field. Bots do, and sometimes a browser's autofill does it for a real person.
      </p>
      <Loaded query={entries}>
        {(all) =>
          all.length === 0 ? (
            <Empty>Nothing is in quarantine.</Empty>
          ) : (
            <Entries entries={all} isReadOnly={isReadOnly} />
          )
        }
      </Loaded>
    </>
  );
}

type Decision = "release" | "drop";

function Entries({ entries, isReadOnly }: { entries: QuarantineEntry[]; isReadOnly: boolean }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [decision, setDecision] = useState<Decision>();
  const ids = entries.map(({ id }) => id).filter((id) => chosen.has(id));
  const decide = useMutation({
    mutationFn: (what: Decision) => post(`/api/quarantine/${what}`, { ids }),
    onSuccess: () => {
      setChosen(new Set());
      setDecision(undefined);
      return client.invalidateQueries();
    },
  });
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const count = pluralize(ids.length, "entry", "entries");
  return (
    <>
      {!isReadOnly && (
        <fieldset className="toolbar" aria-label="Selected entries">
          <span role="status">{ids.length ? `${count} selected` : "Select entries to decide about them"}</span>
          <button type="button" disabled={ids.length === 0} onClick={() => decide.mutate("release")}>
            Release
          </button>
          <button type="button" className="danger" disabled={ids.length === 0} onClick={() => setDecision("drop")}>
            Drop…
          </button>
          {decide.error && <span role="alert">{decide.error.message}</span>}
        </fieldset>
      )}
      <ScrollRegion label="Quarantine">
        <table className="plain">
          <thead>
            <tr>
              {!isReadOnly && (
                <th scope="col">
                  <input
                    type="checkbox"
                    aria-label="Select all"
                    checked={ids.length === entries.length}
                    onChange={({ target }) => setChosen(new Set(target.checked ? entries.map(({ id }) => id) : []))}
                  />
                </th>
              )}
              <th scope="col">Email</th>
              <th scope="col">Name</th>
              <th scope="col">Company</th>
              <th scope="col">Hidden field</th>
              <th scope="col">Caught</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                {!isReadOnly && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Select ${entry.email}`}
                      checked={chosen.has(entry.id)}
                      onChange={({ target }) => toggle(entry.id, target.checked)}
                    />
                  </td>
                )}
                <th scope="row">{entry.email}</th>
                <td>
                  <bdi>
                    {entry.firstName} {entry.lastName}
                  </bdi>
                </td>
                <td>
                  <bdi>{entry.company}</bdi>
                </td>
                <td>
                  <bdi>{entry.website}</bdi>
                </td>
                <td className="quiet">{formatDateTime(new Date(entry.caughtAt))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {decision === "drop" && (
        <ConfirmDialog
          title={`Drop ${count}?`}
          action="Drop"
          isDisabled={decide.isPending}
          onConfirm={() => decide.mutate("drop")}
          onClose={() => setDecision(undefined)}
        >
          <p>They are deleted for good. If one of them was a real person, they can sign up again.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
