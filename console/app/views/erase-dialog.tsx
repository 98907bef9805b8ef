import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import type { Person } from "#console/contract.ts";

interface EraseDialogProps {
  person: Person;
  onClose: () => void;
  onErased: () => void;
}

export function EraseDialog({ person, onClose, onErased }: EraseDialogProps) {
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
      isDisabled={typed !== person.email}
      isPending={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    >
      <p>This permanently deletes all of their data. To confirm, type their address:</p>
      <p>
        <code>{person.email}</code>
      </p>
      <input aria-label="Address" autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
    </ConfirmDialog>
  );
}
