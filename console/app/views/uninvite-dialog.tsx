import { useMutation, useQueryClient } from "@tanstack/react-query";
import { post } from "#console/app/http/request.ts";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import type { Uninvited } from "#console/contract/messages.ts";
import { pluralize } from "#core/format.ts";

export interface InvitedWave {
  id: string;
  invited: number;
}

interface UninviteDialogProps {
  wave: InvitedWave;
  onClose: () => void;
  onDone: (outcome: string) => void;
}

export function UninviteDialog({ wave: { id, invited }, onClose, onDone }: UninviteDialogProps) {
  const client = useQueryClient();
  const uninvite = useMutation({
    mutationFn: () => post<Uninvited>(`/api/waves/${id}/uninvite`),
    onSuccess: ({ uninvited }) => {
      onDone(`Took back ${pluralize(uninvited, "invitation")}.`);
      onClose();
    },
    // An interrupted one has taken back a part.
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <ConfirmDialog
      title={`Take back ${pluralize(invited, "invitation")}?`}
      action="Take back"
      isPending={uninvite.isPending}
      error={uninvite.error}
      onConfirm={() => uninvite.mutate()}
      onClose={onClose}
    >
      <p>
        Everyone in wave {id} goes back to waiting, and can be invited again. Anyone who was already told still thinks
        they are invited.
      </p>
      {uninvite.isPending && <p role="status">Taking back invitations…</p>}
    </ConfirmDialog>
  );
}
