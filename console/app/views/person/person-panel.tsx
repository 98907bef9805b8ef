import { X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { Link } from "#console/app/http/location.tsx";
import { useApi } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { FullName } from "#console/app/ui/full-name.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import { statusOf } from "#console/app/views/status.ts";
import type { Person } from "#console/contract/people.ts";
import { describeAhead } from "#core/members/line-text.ts";
import { describeOrigin } from "#core/people/origin.ts";
import { PersonActions } from "./person-actions.tsx";
import { PersonFriends } from "./person-friends.tsx";
import { PersonTimeline } from "./person-timeline.tsx";

/** Shows all data about one person, beside the list. */
export function PersonPanel({ id, onClose, onErased }: { id: string; onClose: () => void; onErased: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closes the dialog before it leaves the document, so that it restores focus to the row.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.show();
    return () => element?.close();
  }, []);
  const person = useApi<Person>(`/api/people/${id}`, { retry: false });
  return (
    <dialog ref={dialog} className="panel" aria-label="Person" onKeyDown={({ key }) => key === "Escape" && onClose()}>
      <Button className="icon-button" aria-label="Close" onClick={onClose}>
        <X size={16} aria-hidden />
      </Button>
      <Loaded query={person}>{(found) => <Details person={found} onErased={onErased} />}</Loaded>
    </dialog>
  );
}

function Details({ person, onErased }: { person: Person; onErased: () => void }) {
  const { email, company, utm, friendOf, ahead } = person;
  const origin = describeOrigin(utm, friendOf !== null);
  const values = {
    Email: email,
    ...(company && { Company: <Link href={`/people?${new URLSearchParams({ company })}`}>{company}</Link> }),
    ...(ahead !== null && { "In line": describeAhead(ahead, "them") }),
    ...(origin && { Source: friendOf ? <Link href={`/people/${friendOf}`}>{origin}</Link> : origin }),
  };
  const answers = Object.fromEntries(person.answers.map(({ question, choices }) => [question, choices.join(", ")]));
  return (
    <>
      <h2>
        <FullName {...person} />
      </h2>
      <p>
        {person.setAsideAt && <span className="status bad">Set aside</span>}
        <span className={`status ${statusOf(person).tone}`}>{statusOf(person).name}</span>
        {person.newsletter && <span className="status quiet">Newsletter</span>}
      </p>
      <PersonActions person={person} onErased={onErased} />
      <KeyValueList values={values} />
      {person.answers.length > 0 && (
        <>
          <h3>Answers</h3>
          <KeyValueList className="said" values={answers} />
        </>
      )}
      <PersonFriends person={person} />
      <PersonTimeline person={person} />
    </>
  );
}
