import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { useApi } from "#console/app/http/use-api.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Message, Split } from "#console/contract/messages.ts";
import { formatNumber, pluralize } from "#core/format.ts";
import { AudienceSplit } from "./audience-split.tsx";
import { durationText, paceText } from "./message-status.ts";

/** Shows the recipients once more before sending, which can't be undone. */
export function SendDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { id, kind, subject, pace } = message;
  // The version that the operator reviewed, because `message` changes when a colleague saves.
  const [version] = useState(message.version);
  // Refetched, because people may have confirmed or left since.
  const split = useApi<Split>(`/api/messages/${id}/audience`, { staleTime: 0 });
  const recipients = split.data?.recipients ?? 0;
  const people = pluralize(recipients, "person", "people");
  const duration = durationText(recipients, pace);
  return (
    <ChangeDialog
      title={kind === "invitation" ? "Invite by email" : "Send this announcement"}
      action={kind === "invitation" ? `Invite ${people}` : `Send to ${people}`}
      isDisabled={recipients === 0}
      change={() => post(`/api/messages/${id}/start`, { version })}
      onDone={onClose}
      progress={<Adding id={id} people={people} />}
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
    </ChangeDialog>
  );
}

/** Shows progress, because adding a million people to the audience takes half a minute. */
function Adding({ id, people }: { id: string; people: string }) {
  const { data } = useApi<Message>(`/api/messages/${id}`, { refetchInterval: 1000 });
  return (
    <p role="status">
      Adding people: {formatNumber(data?.progress.pending ?? 0)} of {people}…
    </p>
  );
}
