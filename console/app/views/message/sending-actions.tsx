import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import type { Message } from "#console/contract/messages.ts";
import { pluralize } from "#core/format.ts";

export function SendingActions({ message: { id, state, progress, waveId } }: { message: Message }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (action: "pause" | "resume") => post(`/api/messages/${id}/${action}`),
    onSettled: () => client.invalidateQueries(),
  });
  if (state !== "sending" && state !== "scheduled" && state !== "paused") return null;
  const action = state === "paused" ? "resume" : "pause";
  return (
    <div className="toolbar">
      <button type="button" disabled={change.isPending} onClick={() => change.mutate(action)}>
        {action === "pause" ? "Pause" : "Resume"}
      </button>
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
            {pluralize(progress.pending, "person", "people")} won't get it, and it can't be resumed.
            {waveId && ` Everyone in wave ${waveId} stays invited.`}
          </p>
        </ChangeDialog>
      )}
    </div>
  );
}
