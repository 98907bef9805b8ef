import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Ago } from "#console/app/ui/ago.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { TableHead } from "#console/app/ui/table-head.tsx";
import type { OpenSession } from "#console/contract/operators.ts";

export function Team() {
  const [chosen, setChosen] = useState<OpenSession>();
  const [outcome, setOutcome] = useState("");
  const sessions = useApi<OpenSession[]>("/api/sessions", LIVE);
  return (
    <>
      <title>Team</title>
      <h1>Team</h1>
      <p className="quiet lead">
        Who is signed in. An engineer changes roles with <code>waitlist console roles</code>; a new role counts at once.
      </p>
      <p role="status" className="outcome">
        {outcome}
      </p>
      <Loaded query={sessions}>{(all) => <SessionTable sessions={all} onEnd={setChosen} />}</Loaded>
      {chosen && (
        <ChangeDialog
          title="End this session?"
          action="End session"
          isDestructive
          change={() => post(`/api/sessions/${chosen.id}/end`)}
          onDone={() => setOutcome(`Ended a session of ${chosen.email}.`)}
          onClose={() => setChosen(undefined)}
        >
          <p>
            {chosen.email} can sign in again. To keep them out, an engineer takes away their role with{" "}
            <code>waitlist console roles remove</code>.
          </p>
        </ChangeDialog>
      )}
    </>
  );
}

function SessionTable({ sessions, onEnd }: { sessions: OpenSession[]; onEnd: (session: OpenSession) => void }) {
  return (
    <ScrollRegion label="Sessions">
      <table className="plain sessions">
        <TableHead columns={["Person", "Role", "Signed in", "Last seen", "Session"]} />
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <th scope="row">{session.email}</th>
              <td>{session.role ?? "none"}</td>
              <td>
                <Ago at={session.createdAt} />
              </td>
              <td>
                <Ago at={session.lastSeenAt} />
              </td>
              <td>
                {session.isYours ? (
                  "This one"
                ) : (
                  <button type="button" onClick={() => onEnd(session)}>
                    End…<span className="visually-hidden"> the session of {session.email}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
