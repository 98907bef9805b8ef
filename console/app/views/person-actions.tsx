import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { meQuery } from "#console/app/http/me.ts";
import { post } from "#console/app/http/request.ts";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import type { Person } from "#console/contract.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { EraseDialog } from "./erase-dialog.tsx";

type Change = "send-link" | "invite" | "uninvite" | "unsubscribe";

const DONE: Record<Change, string> = {
  "send-link": "The email with their link is on its way.",
  invite: "Invited.",
  uninvite: "Took back the invitation.",
  unsubscribe: "Unsubscribed.",
};

/** What an operator can do with one person. */
export function PersonActions({ person, onErased }: { person: Person; onErased: () => void }) {
  const client = useQueryClient();
  const me = useQuery(meQuery);
  const [dialog, setDialog] = useState<"edit" | "invite" | "erase">();
  const close = () => setDialog(undefined);
  const change = useMutation({
    mutationFn: (what: Change) => post(`/api/people/${person.id}/${what}`),
    onSuccess: () => {
      close();
      return client.invalidateQueries();
    },
  });
  const button = (what: Change, label: string) => (
    <button type="button" disabled={change.isPending} onClick={() => change.mutate(what)}>
      {label}
    </button>
  );
  return (
    <>
      <div className="actions">
        <button type="button" onClick={() => setDialog("edit")}>
          Edit…
        </button>
        {me.data?.isMailed && !person.rejectedAt && button("send-link", "Send link")}
        {person.invitedAt ? (
          button("uninvite", "Take back invitation")
        ) : (
          <button
            type="button"
            onClick={() => {
              change.reset();
              setDialog("invite");
            }}
          >
            Invite…
          </button>
        )}
        {person.newsletter && button("unsubscribe", "Unsubscribe")}
        <button type="button" className="danger" onClick={() => setDialog("erase")}>
          Erase…
        </button>
      </div>
      <p className="outcome" role="status">
        {change.isSuccess && DONE[change.variables]}
      </p>
      {change.error && change.variables !== "invite" && <p role="alert">{change.error.message}</p>}
      {dialog === "edit" && <EditDialog person={person} onClose={close} />}
      {dialog === "invite" && (
        <ConfirmDialog
          title="Invite this person?"
          action="Invite"
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate("invite")}
          onClose={close}
        >
          <p>This creates a wave of one and sends no email.</p>
          {!person.confirmedAt && <p>They haven't confirmed their address yet.</p>}
        </ConfirmDialog>
      )}
      {dialog === "erase" && <EraseDialog person={person} onClose={close} onErased={onErased} />}
    </>
  );
}
