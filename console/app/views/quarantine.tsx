import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { REFETCH_INTERVAL_MS } from "#console/app/http/idle.ts";
import { get, post } from "#console/app/http/request.ts";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import { Empty, Loaded } from "#console/app/ui/states.tsx";
import type { Dropped, QuarantineEntry, Released } from "#console/contract.ts";
import { formatNumber, pluralize } from "#core/format.ts";
import { QuarantineTable } from "./quarantine-table.tsx";

export function Quarantine({ isReadOnly }: { isReadOnly: boolean }) {
  const [outcome, setOutcome] = useState("");
  const entries = useQuery({
    queryKey: ["quarantine"],
    queryFn: ({ signal }) => get<QuarantineEntry[]>("/api/quarantine", signal),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  return (
    <>
      <title>Quarantine</title>
      <h1>Quarantine</h1>
      <p className="quiet lead">
        Sign-ups that filled the hidden field. Bots do, and sometimes a browser's autofill does it for a real person.
      </p>
      <p role="status" className="outcome">
        {outcome}
      </p>
      <Loaded query={entries}>
        {(all) => {
          if (all.length === 0) return <Empty>Nothing is in quarantine.</Empty>;
          if (isReadOnly) return <QuarantineTable entries={all} />;
          return <Entries entries={all} onDecided={setOutcome} />;
        }}
      </Loaded>
    </>
  );
}

function Entries({ entries, onDecided }: { entries: QuarantineEntry[]; onDecided: (outcome: string) => void }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isDropping, setDropping] = useState(false);
  const ids = entries.map(({ id }) => id).filter((id) => chosen.has(id));
  const decided = (outcome: string) => {
    setChosen(new Set());
    setDropping(false);
    onDecided(outcome);
    return client.invalidateQueries();
  };
  const release = useMutation({
    mutationFn: () => post<Released>("/api/quarantine/release", { ids }),
    onMutate: () => onDecided(""),
    onSuccess: ({ joined, known }) =>
      decided(
        `Released ${pluralize(joined + known, "entry", "entries")}: ${formatNumber(joined)} joined the list${known ? `, ${formatNumber(known)} already on it` : ""}.`,
      ),
  });
  const drop = useMutation({
    mutationFn: () => post<Dropped>("/api/quarantine/drop", { ids }),
    onSuccess: ({ dropped }) => decided(`Dropped ${pluralize(dropped, "entry", "entries")}.`),
  });
  const count = pluralize(ids.length, "entry", "entries");
  const isIdle = ids.length === 0 || release.isPending || drop.isPending;
  const ask = () => {
    release.reset();
    drop.reset();
    setDropping(true);
  };
  return (
    <>
      <fieldset className="toolbar" aria-label="Selected entries">
        <span role="status">{ids.length ? `${count} selected` : "Select entries to release or drop"}</span>
        <button type="button" disabled={isIdle} onClick={() => release.mutate()}>
          Release
        </button>
        <button type="button" className="danger" disabled={isIdle} onClick={ask}>
          Drop…
        </button>
        {release.error && <span role="alert">{release.error.message}</span>}
      </fieldset>
      <QuarantineTable entries={entries} selection={{ chosen, onChange: setChosen }} />
      {isDropping && (
        <ConfirmDialog
          title={`Drop ${count}?`}
          action="Drop"
          isPending={drop.isPending}
          error={drop.error}
          onConfirm={() => drop.mutate()}
          onClose={() => setDropping(false)}
        >
          <p>This permanently deletes them. If one of them was a real person, they can sign up again.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
