import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { navigate } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import type { Message } from "#console/contract/messages.ts";
import { pluralize } from "#core/format.ts";
import { draftOf } from "./use-draft.ts";

export function SendingActions({ message }: { message: Message }) {
  const { id, state, kind, progress, waveId } = message;
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: ([path, body]: [path: string, body?: object | undefined]) =>
      post<Message | undefined>(`/api/messages${path}`, body),
    onSuccess: (draft) => draft && navigate(`/messages/${draft.id}`),
    onSettled: () => client.invalidateQueries(),
  });
  const left = pluralize(progress.pending, "person", "people");
  const button = (label: string, path: string, body?: object) => (
    <button type="button" disabled={change.isPending} onClick={() => change.mutate([path, body])}>
      {label}
    </button>
  );
  return (
    <div className="toolbar">
      {(state === "sending" || state === "scheduled") && button("Pause", `/${id}/pause`)}
      {state === "paused" && button("Resume", `/${id}/resume`)}
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
      {state === "canceled" && progress.pending > 0 && button(`Write to the ${left} who didn't get it`, `/${id}/rest`)}
      {button("Duplicate", "", { kind, ...draftOf(message) })}
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
