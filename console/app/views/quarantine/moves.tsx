import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import type { Move, Moved } from "#console/contract/people.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { formatDate, formatNumber, pluralize } from "#core/text/format.ts";

/** People who were moved from the list, one entry per move. */
export function Moves({ role, onDone }: { role: Role; onDone: (outcome: string) => void }) {
  const [chosen, setChosen] = useState<Move>();
  const { data: moves = [] } = useApi<Move[]>("/api/moves", LIVE);
  return (
    <>
      {moves.length > 0 && (
        <section className="day" aria-labelledby="moves">
          <h2 id="moves">Moved from the list</h2>
          <ul className="history">
            {moves.map((move) => (
              <li key={move.id} className="toolbar">
                <span>
                  {peopleIn(move.people)} by <bdi>{move.actor}</bdi>, <Ago at={move.at} />. Deleted on{" "}
                  {formatDate(new Date(move.until))}.
                </span>
                {may(role, "write") && (
                  <Button onClick={() => setChosen(move)}>
                    Undo…<span className="visually-hidden"> the move of {peopleIn(move.people)}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {chosen && (
        <ChangeDialog
          title={`Move ${peopleIn(chosen.people)} back to the list?`}
          action="Move back"
          change={() => post<Moved>(`/api/moves/${chosen.id}/undo`)}
          onDone={({ moved }) => onDone(undone(moved, chosen.people - moved))}
          progress={<p role="status">Moving people back…</p>}
          onClose={() => setChosen(undefined)}
        >
          <p>
            Their places, consents and emails come back as they were, and emails that were due are sent. Anyone whose
            address has joined again stays here.
          </p>
        </ChangeDialog>
      )}
    </>
  );
}

const peopleIn = (people: number) => pluralize(people, "person", "people");

function undone(moved: number, left: number): string {
  const others = left > 0 ? ` ${formatNumber(left)} stayed, because their address has joined again.` : "";
  return `Moved ${peopleIn(moved)} back to the list.${others}`;
}
