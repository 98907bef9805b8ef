import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { get, post } from "#console/app/http/request.ts";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Person } from "#console/contract.ts";
import { formatDateTime } from "#core/format.ts";
import { statusOf } from "./status.ts";

interface PersonPanelProps {
  id: string;
  isReadOnly: boolean;
  onClose: () => void;
}

/** Everything held about one person, beside the list. */
export function PersonPanel({ id, isReadOnly, onClose }: PersonPanelProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.show(), []);
  const person = useQuery({
    queryKey: ["person", id],
    queryFn: ({ signal }) => get<Person>(`/api/people/${id}`, signal),
    retry: false,
  });
  return (
    <dialog ref={dialog} className="panel" aria-label="Person" onKeyDown={({ key }) => key === "Escape" && onClose()}>
      <button type="button" className="close" aria-label="Close" onClick={onClose}>
        ×
      </button>
      <Loaded query={person}>{(found) => <Details person={found} isReadOnly={isReadOnly} onErased={onClose} />}</Loaded>
    </dialog>
  );
}

function Details({ person, isReadOnly, onErased }: { person: Person; isReadOnly: boolean; onErased: () => void }) {
  const facts = {
    Email: person.email,
    Company: person.company ?? "–",
    Joined: time(person.joinedAt),
    Confirmed: time(person.confirmedAt),
    Invited: time(person.invitedAt),
    "Rejected by mail server": time(person.rejectedAt),
    Campaign:
      Object.entries(person.utm ?? {})
        .map(([name, value]) => `${name}: ${value}`)
        .join(", ") || "–",
  };
  return (
    <>
      <h2>
        <bdi>
          {person.firstName} {person.lastName}
        </bdi>
      </h2>
      <p>
        <span className={`status ${statusOf(person).tone}`}>{statusOf(person).name}</span>
        {person.newsletter && <span className="status quiet">Newsletter</span>}
      </p>
      <dl className="facts">
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <h3>Consent</h3>
      {person.consents.length === 0 && <p className="quiet">Never gave consent to the newsletter.</p>}
      {person.consents.map(({ at, given, wording, version }) => (
        <figure key={at}>
          <figcaption>
            {given ? "Consented" : "Withdrew consent"}, {time(at)}
          </figcaption>
          <blockquote>
            {wording} <span className="quiet">(version {version})</span>
          </blockquote>
        </figure>
      ))}
      {!isReadOnly && <Actions person={person} onErased={onErased} />}
    </>
  );
}

function Actions({ person, onErased }: { person: Person; onErased: () => void }) {
  const client = useQueryClient();
  const [isErasing, setErasing] = useState(false);
  const unsubscribe = useMutation({
    mutationFn: () => post(`/api/people/${person.id}/unsubscribe`),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <footer className="actions">
      {person.newsletter && (
        <button type="button" disabled={unsubscribe.isPending} onClick={() => unsubscribe.mutate()}>
          Unsubscribe
        </button>
      )}
      <button type="button" className="danger" onClick={() => setErasing(true)}>
        Erase…
      </button>
      {unsubscribe.error && <p role="alert">{unsubscribe.error.message}</p>}
      {isErasing && <EraseDialog person={person} onClose={() => setErasing(false)} onErased={onErased} />}
    </footer>
  );
}

function EraseDialog({ person, onClose, onErased }: { person: Person; onClose: () => void; onErased: () => void }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const erase = useMutation({
    mutationFn: () => post(`/api/people/${person.id}/erase`, { address: typed }),
    onSuccess: () => {
      client.removeQueries({ queryKey: ["person", person.id] });
      client.invalidateQueries();
      onErased();
    },
  });
  return (
    <ConfirmDialog
      title="Erase this person?"
      action="Erase everything"
      isDisabled={typed !== person.email || erase.isPending}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    >
      <p>Everything about them is deleted, at once and for good. To confirm, type their address:</p>
      <p>
        <code>{person.email}</code>
      </p>
      <input aria-label="Address" autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
      {erase.error && <p role="alert">{erase.error.message}</p>}
    </ConfirmDialog>
  );
}

function time(iso: string | null): string {
  return iso ? `${formatDateTime(new Date(iso))} UTC` : "–";
}
