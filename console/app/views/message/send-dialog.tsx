import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { useApi, useMessageSettings } from "#console/app/http/use-api.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Message, Split } from "#console/contract/messages.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";
import { AudienceSplit } from "./audience-split.tsx";
import { durationText, paceText } from "./message-status.ts";
import { ScheduleField } from "./schedule-field.tsx";

/** Shows the recipients once more, because sending can't be undone. */
export function SendDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { id, kind, subject, pace } = message;
  // The version that the operator reviewed, because `message` changes when a colleague saves.
  const [version] = useState(message.version);
  // Refetched, because people may have confirmed or left since.
  const split = useApi<Split>(`/api/messages/${id}/audience`, { staleTime: 0 });
  const recipients = split.data?.recipients ?? 0;
  const people = pluralize(recipients, "person", "people");
  const duration = durationText(recipients, pace, useMessageSettings().data?.perMinute ?? null);
  const [at, setAt] = useState("");
  const verb = kind === "invitation" ? "Invite" : "Send to";
  return (
    <ChangeDialog
      title={kind === "invitation" ? "Invite by email" : "Send this announcement"}
      action={at ? `Schedule for ${people}` : `${verb} ${people}`}
      isDisabled={recipients === 0}
      change={() => post(`/api/messages/${id}/start`, { version, ...(at && { at: new Date(at).toISOString() }) })}
      progress={<Adding id={id} people={people} />}
      onClose={onClose}
    >
      <p>
        <bdi>“{subject}”</bdi>
      </p>
      <Loaded query={split}>{(counted) => <AudienceSplit split={counted} />}</Loaded>
      <ScheduleField at={at} onChange={setAt} />
      <p>
        {paceText(pace)}
        {duration && `, ${duration} in all`}.{" "}
        {kind === "invitation" && "They are marked as invited at once, in a new wave. "}
        {at ? "People who join later don't get it; you can cancel until it starts." : "An email can't be taken back."}
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
