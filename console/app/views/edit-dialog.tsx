import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import type { Person } from "#console/contract.ts";

const FIELDS = { firstName: "First name", lastName: "Last name", company: "Company" } as const;
type Field = keyof typeof FIELDS;

export function EditDialog({ person, onClose }: { person: Person; onClose: () => void }) {
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
      onDone={onClose}
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
