import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import type { Person } from "#console/contract.ts";

interface EraseDialogProps {
  person: Person;
  onClose: () => void;
  onErased: () => void;
}

export function EraseDialog({ person, onClose, onErased }: EraseDialogProps) {
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
