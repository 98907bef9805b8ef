import { useLayoutEffect, useRef } from "react";
import { useApi } from "#console/app/http/use-api.ts";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Person } from "#console/contract.ts";
import { formatDateTime } from "#core/format.ts";
import { PersonActions } from "./person-actions.tsx";
import { PersonHistory } from "./person-history.tsx";
import { statusOf } from "./status.ts";

/** Everything held about one person, beside the list. */
export function PersonPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the document, so that it gives focus back to the row.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.show();
    return () => element?.close();
  }, []);
  const person = useApi<Person>(`/api/people/${id}`, { retry: false });
  return (
    <dialog ref={dialog} className="panel" aria-label="Person" onKeyDown={({ key }) => key === "Escape" && onClose()}>
      <button type="button" className="close" aria-label="Close" onClick={onClose}>
        ×
      </button>
      <Loaded query={person}>{(found) => <Details person={found} onErased={onClose} />}</Loaded>
    </dialog>
  );
}

function Details({ person, onErased }: { person: Person; onErased: () => void }) {
  const values = {
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
      <PersonActions person={person} onErased={onErased} />
      <KeyValueList values={values} />
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
      <PersonHistory person={person} />
    </>
  );
}

function time(iso: string | null): string {
  return iso ? `${formatDateTime(new Date(iso))} UTC` : "–";
}
