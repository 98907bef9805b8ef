import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { get, post } from "#console/app/http/request.ts";
import { ConfirmDialog } from "#console/app/ui/confirm-dialog.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Message, Split } from "#console/contract/messages.ts";
import { formatNumber, pluralize } from "#core/format.ts";
import { AudienceSplit } from "./audience-split.tsx";
import { durationText, paceText } from "./message-status.ts";

/** Who gets it, once more, before it can't be taken back. */
export function SendDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const client = useQueryClient();
  const { id, kind, subject, pace } = message;
  const split = useQuery({
    queryKey: ["message", id, "audience"],
    queryFn: ({ signal }) => get<Split>(`/api/messages/${id}/audience`, signal),
    // People may have confirmed or left since.
    staleTime: 0,
  });
  const start = useMutation({
    mutationFn: () => post(`/api/messages/${id}/start`),
    onSuccess: () => {
      // Not awaited: the dialog would be gone with the draft, before it could close.
      client.invalidateQueries();
    },
  });
  const recipients = split.data?.recipients ?? 0;
  const people = pluralize(recipients, "person", "people");
  const duration = durationText(recipients, pace);
  return (
    <ConfirmDialog
      title={kind === "invitation" ? "Invite by email" : "Send this announcement"}
      action={kind === "invitation" ? `Invite ${people}` : `Send to ${people}`}
      isDisabled={recipients === 0}
      isPending={start.isPending}
      error={start.error}
      // Closing navigates, so not if the operator has left meanwhile.
      onConfirm={() => start.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        <bdi>“{subject}”</bdi>
      </p>
      <Loaded query={split}>{(counted) => <AudienceSplit split={counted} />}</Loaded>
      <p>
        {paceText(pace)}
        {duration && `, ${duration} in all`}.{" "}
        {kind === "invitation" && "They are marked as invited at once, in a new wave. "}
        An email can't be taken back.
      </p>
      {split.data?.recipients === 0 && <p role="alert">Nobody would get this message.</p>}
      {start.isPending && <Adding id={id} people={people} />}
    </ConfirmDialog>
  );
}

/** Putting a million people into the audience takes half a minute. */
function Adding({ id, people }: { id: string; people: string }) {
  const { data } = useQuery({
    queryKey: ["message", id],
    queryFn: ({ signal }) => get<Message>(`/api/messages/${id}`, signal),
    refetchInterval: 1000,
  });
  return (
    <p role="status">
      Adding people: {formatNumber(data?.progress.pending ?? 0)} of {people}…
    </p>
  );
}
