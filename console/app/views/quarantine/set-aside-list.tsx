import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import type { BroughtBack, SetAsideOperation } from "#console/contract/people.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { formatDate, pluralize } from "#core/text/format.ts";

/** People who were set aside, one entry per operation. */
export function SetAsideList({ role, onDone }: { role: Role; onDone: (outcome: string) => void }) {
  const [chosen, setChosen] = useState<SetAsideOperation>();
  const { data: operations = [] } = useApi<SetAsideOperation[]>("/api/set-aside", LIVE);
  return (
    <>
      {operations.length > 0 && (
        <section className="day" aria-labelledby="set-aside">
          <h2 id="set-aside">Set aside</h2>
          <ul className="history">
            {operations.map((operation) => (
              <li key={operation.id} className="toolbar">
                <span>
                  {peopleIn(operation.people)} by <bdi>{operation.actor}</bdi>, <Ago at={operation.at} />. Deleted on{" "}
                  {formatDate(new Date(operation.until))}.
                </span>
                {may(role, "write") && (
                  <Button onClick={() => setChosen(operation)}>
                    Bring back…<span className="visually-hidden"> {peopleIn(operation.people)}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {chosen && (
        <ChangeDialog
          title={`Bring ${peopleIn(chosen.people)} back to the list?`}
          action="Bring back"
          change={() => post<BroughtBack>(`/api/set-aside/${chosen.id}/bring-back`)}
          onDone={({ broughtBack }) => onDone(`Brought ${peopleIn(broughtBack)} back to the list.`)}
          progress={<p role="status">Bringing people back…</p>}
          onClose={() => setChosen(undefined)}
        >
          <p>They get their places back, and emails that were due are sent.</p>
        </ChangeDialog>
      )}
    </>
  );
}

const peopleIn = (people: number) => pluralize(people, "person", "people");
