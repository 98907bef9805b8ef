import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { useMe, useMessageSettings } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import type { MessageSettings } from "#console/contract/messages.ts";
import type { Person } from "#console/contract/people.ts";
import { may } from "#console/contract/roles.ts";

type Change = "send-link" | "uninvite" | "unsubscribe";

const DONE: Record<Change, string> = {
  "send-link": "Queued an email with their link.",
  uninvite: "Took back the invitation.",
  unsubscribe: "Unsubscribed.",
};

const SUPPRESS =
  "They get no more news, invitations or links, and stay on the list. Only they can undo this, on their page.";

function describeInvitation({ confirmedAt, suppressedAt }: Person, settings?: MessageSettings): string {
  if (!settings?.isMailed || !settings.invitation)
    return "They get no email, because mail or invitation links are off here.";
  if (!confirmedAt || suppressedAt) return "They get no email, because their address isn't confirmed or is suppressed.";
  return `They get the email “${settings.invitation.subject}” with their link.`;
}

export function PersonActions({ person, onErased }: { person: Person; onErased: () => void }) {
  const client = useQueryClient();
  const me = useMe();
  const settings = useMessageSettings();
  const [dialog, setDialog] = useState<"edit" | "invite" | "stop-mail" | "erase">();
  const [outcome, setOutcome] = useState("");
  const close = () => setDialog(undefined);
  const change = useMutation({
    mutationFn: (what: Change) => post(`/api/people/${person.id}/${what}`),
    onMutate: () => setOutcome(""),
    // Sets the outcome last, when the buttons are enabled again.
    onSuccess: async (_, what) => {
      await client.invalidateQueries();
      setOutcome(DONE[what]);
    },
  });
  const ask = (next: typeof dialog) => {
    change.reset();
    setDialog(next);
  };
  const button = (what: Change, label: string, className?: string) => (
    <Button className={className} disabled={change.isPending} onClick={() => change.mutate(what)}>
      {label}
    </Button>
  );
  if (!me.data || !may(me.data.role, "write")) return null;
  const isListed = !person.setAsideAt;
  return (
    <>
      <div className="actions">
        {person.invitedAt
          ? !person.acceptedAt && button("uninvite", "Take back invitation")
          : isListed && (
              <Button className={person.suppressedAt ? undefined : "primary"} onClick={() => ask("invite")}>
                Invite…
              </Button>
            )}
        {settings.data?.isMailed &&
          isListed &&
          !person.suppressedAt &&
          button("send-link", "Send link", person.invitedAt ? "primary" : undefined)}
        <Button onClick={() => ask("edit")}>Edit…</Button>
        {person.newsletter && button("unsubscribe", "Unsubscribe")}
        {(person.newsletter || !person.suppressedAt) && <Button onClick={() => ask("stop-mail")}>Suppress…</Button>}
        {may(me.data.role, "erase") && (
          <Button className="danger" onClick={() => ask("erase")}>
            Erase…
          </Button>
        )}
      </div>
      <p className="outcome" role="status">
        {outcome}
      </p>
      {change.error && <p role="alert">{change.error.message}</p>}
      {dialog === "edit" && <EditDialog person={person} onClose={close} />}
      {(dialog === "invite" || dialog === "stop-mail") && (
        <ChangeDialog
          {...(dialog === "invite"
            ? { title: "Invite this person?", action: "Invite" }
            : { title: "Suppress this person?", action: "Suppress", isDestructive: true })}
          change={() => post(`/api/people/${person.id}/${dialog}`)}
          onDone={() => setOutcome(dialog === "invite" ? "Invited." : "Suppressed.")}
          onClose={close}
        >
          <p>{dialog === "invite" ? describeInvitation(person, settings.data) : SUPPRESS}</p>
        </ChangeDialog>
      )}
      {dialog === "erase" && <EraseDialog person={person} onClose={close} onErased={onErased} />}
    </>
  );
}

const FIELDS = { firstName: "First name", lastName: "Last name", company: "Company" } as const;
type Field = keyof typeof FIELDS;

function EditDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const stored = { firstName: person.firstName, lastName: person.lastName, company: person.company ?? "" };
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>({});
  // Sends only changed fields, because someone else may have edited the others since.
  const changes = Object.fromEntries(Object.entries(typed).filter(([name, text]) => text !== stored[name as Field]));
  return (
    <ChangeDialog
      title="Edit this person"
      action="Save"
      isDisabled={Object.keys(changes).length === 0}
      change={() => post(`/api/people/${person.id}/edit`, changes)}
      onClose={onClose}
    >
      {Object.entries(FIELDS).map(([name, label]) => (
        <label key={name} className="field">
          <span>{label}</span>
          <input
            autoComplete="off"
            value={typed[name as Field] ?? stored[name as Field]}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          />
        </label>
      ))}
      <p className="quiet">An address can't be edited. To use a new one, the person joins again.</p>
    </ChangeDialog>
  );
}

function EraseDialog({ person, onClose, onErased }: { person: Person; onClose: () => void; onErased: () => void }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const path = `/api/people/${person.id}`;
  const erase = async () => {
    await post(`${path}/erase`, { address: typed });
    client.removeQueries({ queryKey: [path] });
  };
  return (
    <ChangeDialog
      title="Erase this person?"
      action="Erase everything"
      isDestructive
      isDisabled={typed !== person.email}
      change={erase}
      onDone={onErased}
      onClose={onClose}
    >
      <p>This permanently deletes all of their data. To confirm, type their address:</p>
      <p>
        <code>{person.email}</code>
      </p>
      <input aria-label="Address" autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
    </ChangeDialog>
  );
}
