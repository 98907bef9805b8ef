import { useMutation, useQueryClient } from "@tanstack/react-query";
import { navigate } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";

export function DiscardDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const discard = useMutation({
    mutationFn: () => post(`/api/messages/${id}/cancel`),
    onSuccess: () => {
      client.invalidateQueries();
      navigate("/messages");
    },
  });
  return (
    <ConfirmDialog
      title="Discard this draft?"
      action="Discard"
      isPending={discard.isPending}
      error={discard.error}
      onConfirm={() => discard.mutate()}
      onClose={onClose}
    >
      <p>It can't be sent or edited any more. It stays in the list of messages.</p>
    </ConfirmDialog>
  );
}
