import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi, useChange } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Dropped, QuarantineEntry, Released } from "#console/contract/people.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";
import { Domains } from "./domains.tsx";
import { QuarantineTable } from "./quarantine-table.tsx";
import { SetAsideList } from "./set-aside-list.tsx";

export function Quarantine({ role }: { role: Role }) {
  const [outcome, setOutcome] = useState("");
  const entries = useApi<QuarantineEntry[]>("/api/quarantine", LIVE);
  return (
    <>
      <title>Quarantine</title>
      <h1>Quarantine</h1>
      <p className="quiet lead">
        Sign-ups that filled the hidden field, or are from a domain that you quarantine. Bots fill the field, and
        sometimes a browser's autofill does it for a real person.
      </p>
      <p role="status" className="outcome">
        {outcome}
      </p>
      <SetAsideList role={role} onDone={setOutcome} />
      <Domains role={role} />
      <Loaded query={entries} empty="Nothing to review. Sign-ups that fill the hidden field appear here.">
        {(all) =>
          may(role, "write") ? <Entries entries={all} onDecided={setOutcome} /> : <QuarantineTable entries={all} />
        }
      </Loaded>
    </>
  );
}

function Entries({ entries, onDecided }: { entries: QuarantineEntry[]; onDecided: (outcome: string) => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isDropping, setDropping] = useState(false);
  const ids = entries.map(({ id }) => id).filter((id) => chosen.has(id));
  const decided = (outcome: string) => {
    setChosen(new Set());
    onDecided(outcome);
  };
  const release = useChange(async () => {
    onDecided("");
    const { joined, known } = await post<Released>("/api/quarantine/release", { ids });
    const others = known ? `, ${formatNumber(known)} already on it` : "";
    const released = pluralize(joined + known, "entry", "entries");
    decided(`Released ${released}: ${formatNumber(joined)} joined the list${others}.`);
  });
  const count = pluralize(ids.length, "entry", "entries");
  const isIdle = ids.length === 0 || release.isPending;
  const ask = () => {
    release.reset();
    setDropping(true);
  };
  return (
    <>
      <fieldset className="toolbar" aria-label="Selected entries">
        <span role="status">{ids.length ? `${count} selected` : "Select entries to release or drop"}</span>
        <Button disabled={isIdle} onClick={() => release.mutate()}>
          Release
        </Button>
        <Button className="danger" disabled={isIdle} onClick={ask}>
          Drop…
        </Button>
        {release.error && <span role="alert">{release.error.message}</span>}
      </fieldset>
      <QuarantineTable entries={entries} selection={{ chosen, onChange: setChosen }} />
      {isDropping && (
        <ChangeDialog
          title={`Drop ${count}?`}
          action="Drop"
          isDestructive
          change={() => post<Dropped>("/api/quarantine/drop", { ids })}
          onDone={({ dropped }) => decided(`Dropped ${pluralize(dropped, "entry", "entries")}.`)}
          onClose={() => setDropping(false)}
        >
          <p>This permanently deletes them. If one of them was a real person, they can sign up again.</p>
        </ChangeDialog>
      )}
    </>
  );
}
