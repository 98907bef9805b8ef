import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import { Copyable } from "#console/app/ui/copyable.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { type Columns, Table } from "#console/app/ui/table.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import type { OpenSession } from "#console/contract/operators.ts";
import type { Role } from "#console/contract/roles.ts";

export function Team() {
  const [chosen, setChosen] = useState<OpenSession>();
  /** Whose role to change; "" for someone who isn't signed in. */
  const [who, setWho] = useState<string>();
  const [outcome, setOutcome] = useState("");
  const sessions = useApi<OpenSession[]>("/api/sessions", LIVE);
  const columns: Columns<OpenSession> = {
    Person: ({ email }) => email,
    Role: ({ email, role, isFromClaim }) => (
      <span className="row-links">
        {role ?? "none"}
        {!isFromClaim && (
          <Button onClick={() => setWho(email)}>
            Change…<span className="visually-hidden"> the role of {email}</span>
          </Button>
        )}
      </span>
    ),
    "Signed in": ({ createdAt }) => <Ago at={createdAt} />,
    "Last seen": ({ lastSeenAt }) => <Ago at={lastSeenAt} />,
    Session: (session) =>
      session.isYours ? (
        "This one"
      ) : (
        <Button onClick={() => setChosen(session)}>
          End…<span className="visually-hidden"> the session of {session.email}</span>
        </Button>
      ),
  };
  return (
    <>
      <title>Team</title>
      <div className="heading">
        <h1>Team</h1>
        {sessions.data?.some(({ isFromClaim }) => !isFromClaim) && (
          <p className="actions">
            <Button onClick={() => setWho("")}>Give someone a role…</Button>
          </p>
        )}
      </div>
      <p className="quiet lead">Who is signed in. A new role counts at once.</p>
      <p role="status" className="outcome">
        {outcome}
      </p>
      <Loaded query={sessions}>
        {(all) => <Table label="Sessions" className="sessions" rows={all} columns={columns} />}
      </Loaded>
      {who !== undefined && (
        <RoleDialog
          who={who}
          current={sessions.data?.find(({ email }) => email === who)?.role ?? "viewer"}
          onClose={() => setWho(undefined)}
        />
      )}
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
            {chosen.email} can sign in again.{" "}
            {chosen.isFromClaim
              ? "To keep them out, take away their role in your company's sign-in."
              : "To keep them out, change their role to none."}
          </p>
        </ChangeDialog>
      )}
    </>
  );
}

const ROLES = {
  viewer: "Viewer: reads",
  editor: "Editor: also drafts, edits, invites and sends",
  admin: "Admin: also exports and erases",
  "": "None: can't sign in",
};

/** Shows a command, because a console that is taken over must not make anyone an admin (decision 14). */
function RoleDialog({ who, current, onClose }: { who: string; current: Role; onClose: () => void }) {
  const [address, setAddress] = useState(who);
  const [role, setRole] = useState<string>(current);
  // Quoted, because an address can contain characters that a shell interprets.
  const quoted = `'${address.replaceAll("'", "'\\''")}'`;
  const command = role ? `set ${quoted} ${role}` : `remove ${quoted}`;
  return (
    <ConfirmDialog title={who ? `Change the role of ${who}` : "Give someone a role"} onClose={onClose}>
      <p>For security, roles can't be changed here. Choose one, and send the command to an engineer.</p>
      {!who && (
        <label className="field">
          Email address, or @ and a domain
          <input value={address} onChange={({ target }) => setAddress(target.value)} />
        </label>
      )}
      <label className="field">
        Role
        <select value={role} onChange={({ target }) => setRole(target.value)}>
          {Object.entries(ROLES).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {address && <Copyable label="Command" text={`npx waitlist console roles ${command}`} rows={2} />}
    </ConfirmDialog>
  );
}
