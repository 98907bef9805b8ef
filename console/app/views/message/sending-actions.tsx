import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, navigate } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import type { Message } from "#console/contract/messages.ts";
import { pluralize } from "#core/format.ts";

export function SendingActions({ message: { id, state, progress, waveId } }: { message: Message }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (action: "pause" | "resume" | "rest") => post<Message | undefined>(`/api/messages/${id}/${action}`),
    onSuccess: (draft) => draft && navigate(`/messages/${draft.id}`),
    onSettled: () => client.invalidateQueries(),
  });
  const left = pluralize(progress.pending, "person", "people");
  const button = (action: Parameters<typeof change.mutate>[0], label: string) => (
    <button type="button" disabled={change.isPending} onClick={() => change.mutate(action)}>
      {label}
    </button>
  );
  return (
    <div className="toolbar">
      {(state === "sending" || state === "scheduled") && button("pause", "Pause")}
      {state === "paused" && button("resume", "Resume")}
      {(state === "sending" || state === "scheduled" || state === "paused") && (
        <button
          type="button"
          className="danger"
          onClick={() => {
            change.reset();
            setAsking(true);
          }}
        >
          Cancel message…
        </button>
      )}
      {state === "canceled" && progress.pending > 0 && button("rest", `Write to the ${left} who didn't get it`)}
      <Link className="button" href={`/messages/new?copy=${id}`}>
        Duplicate
      </Link>
      {change.error && <p role="alert">{change.error.message}</p>}
      {isAsking && (
        <ChangeDialog
          title="Cancel this message?"
          action="Cancel message"
          dismiss="Go back"
          isDestructive
          change={() => post(`/api/messages/${id}/cancel`)}
          onDone={() => setAsking(false)}
          onClose={() => setAsking(false)}
        >
          <p>
            {left} won't get it, and it can't be resumed. You can write to them in another message.
            {waveId && ` Everyone in wave ${waveId} stays invited.`}
          </p>
        </ChangeDialog>
      )}
    </div>
  );
}
