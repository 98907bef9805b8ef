import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Ago } from "#console/app/ui/ago.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { type Columns, Table } from "#console/app/ui/table.tsx";
import type { OpenSession } from "#console/contract/operators.ts";

export function Team() {
  const [chosen, setChosen] = useState<OpenSession>();
  const [outcome, setOutcome] = useState("");
  const sessions = useApi<OpenSession[]>("/api/sessions", LIVE);
  const columns: Columns<OpenSession> = {
    Person: ({ email }) => email,
    Role: ({ role }) => role ?? "none",
    "Signed in": ({ createdAt }) => <Ago at={createdAt} />,
    "Last seen": ({ lastSeenAt }) => <Ago at={lastSeenAt} />,
    Session: (session) =>
      session.isYours ? (
        "This one"
      ) : (
        <button type="button" onClick={() => setChosen(session)}>
          End…<span className="visually-hidden"> the session of {session.email}</span>
        </button>
      ),
  };
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
      <Loaded query={sessions}>
        {(all) => <Table label="Sessions" className="sessions" rows={all} columns={columns} />}
      </Loaded>
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
