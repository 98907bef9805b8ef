import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Bar } from "#console/app/charts/charts.tsx";
import { Link, navigate } from "#console/app/http/location.tsx";
import { get, post } from "#console/app/http/request.ts";
import { isTeam } from "#console/app/http/session.ts";
import { useChange, useMessageSettings } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Copyable } from "#console/app/ui/copyable.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Time } from "#console/app/ui/times.tsx";
import { useFilterText } from "#console/app/views/filters/use-filter-names.ts";
import type { Message, Reason, Reasons } from "#console/contract/messages.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { EVERYONE, type FilterName } from "#core/people/filter-fields.ts";
import { formatNumber, formatRoundedPercent, pluralize } from "#core/text/format.ts";
import { SavedSplit } from "./audience-split.tsx";
import { countPeople, durationText, paceText } from "./message-status.ts";
import { SavedPreview } from "./preview.tsx";
import { zonedText } from "./schedule-field.tsx";
import { draftOf } from "./use-draft.ts";

export function Results({ message, role }: { message: Message; role: Role }) {
  const isDraft = message.state === "draft";
  return (
    <div className="editor">
      <div className="draft">
        {may(role, "write") && <SendingActions message={message} />}
        {isDraft ? <SavedSplit id={message.id} /> : <Progress message={message} />}
        <MessageDetails message={message} />
        <details>
          <summary>Markdown</summary>
          <Copyable label="Body, in Markdown" text={message.body} />
        </details>
      </div>
      <SavedPreview id={message.id} />
    </div>
  );
}

/** Refetched rarely, because counting the reasons reads every delivery. */
const REASONS_MS = 30_000;

function Progress({ message }: { message: Message }) {
  const { id, state, progress, results, note } = message;
  const people = countPeople(message);
  const timeLeft = durationText(progress.pending, message.pace, useMessageSettings().data?.perMinute ?? null);
  const reasons = useQuery({
    queryKey: ["message", id, "reasons", state],
    queryFn: ({ signal }) => get<Reasons>(`/api/messages/${id}/reasons`, signal),
    enabled: progress.skipped + progress.failed > 0,
    refetchInterval: state === "sending" && REASONS_MS,
  });
  const sent = formatNumber(progress.sent);
  const values = {
    Sent: progress.sent ? (
      <Link href={`/people?message=${id}`} aria-label={`${sent}: see who got it`}>
        {sent}
      </Link>
    ) : (
      sent
    ),
    [state === "canceled" ? "Not sent" : "Pending"]: formatNumber(progress.pending),
    Skipped: formatNumber(progress.skipped),
    "Bounced: the address doesn't work": formatNumber(progress.bounced),
    "Complained: reported it as spam": formatNumber(progress.complained),
    Failed: formatNumber(progress.failed),
  };
  const notes = { Skipped: listReasons(reasons.data?.skipped), Failed: listReasons(reasons.data?.failed) };
  return (
    <section className="card draft" aria-label="Progress">
      <p className="progress-figure" role="status">
        <strong>{sent}</strong> of {formatNumber(people)} sent{" "}
        <span className="quiet">
          {formatRoundedPercent(progress.sent, people)}
          {state === "sending" && timeLeft && `, ${timeLeft} left`}
        </span>
      </p>
      {state === "scheduled" && <p>Starts {zonedText(message.startedAt ?? "")}.</p>}
      <Bar value={progress.sent} max={people} />
      {note && <p role="note">{note}</p>}
      <KeyValueList className="split" values={values} notes={notes} />
      <p className="quiet">
        {formatNumber(results.unsubscribed)} unsubscribed, {pluralize(results.softBounced, "soft bounce")}. Gmail
        doesn't report complaints, so its recipients don't count in their rate. We don't track opens or clicks.
      </p>
      {progress.failed > 0 && <p className="quiet">An engineer can try the failed ones again.</p>}
    </section>
  );
}

function listReasons(reasons: Reason[] = []): string {
  return reasons.map(({ reason, people }) => `${formatNumber(people)} ${reason}`).join(", ");
}

function MessageDetails({ message: { audience, pace, waveId, ...message } }: { message: Message }) {
  const describe = useFilterText(audience);
  const filters = Object.entries(audience).map(([name, value]) =>
    name === "next" ? `The next: ${value}` : describe(name as FilterName, value),
  );
  const values = {
    Audience: filters.join(", ") || EVERYONE[message.kind],
    Pace: paceText(pace),
    Created: time(message.createdAt),
    [message.state === "scheduled" ? "Starts" : "Started"]: time(message.startedAt),
    Finished: time(message.finishedAt),
    ...(waveId && { Wave: <Link href={`/people?wave=${waveId}`}>People in wave {waveId}</Link> }),
  };
  return <KeyValueList values={values} />;
}

const time = (at: string | null) => (at ? <Time at={at} /> : "–");

function SendingActions({ message }: { message: Message }) {
  const { id, state, kind, progress, waveId } = message;
  const [isAsking, setAsking] = useState(false);
  const change = useChange(async ([path, body]: [path: string, body?: object | undefined]) => {
    const draft = await post<Message | undefined>(`/api/messages${path}`, body);
    if (draft) navigate(`/messages/${draft.id}`);
  });
  const ask = () => {
    change.reset();
    setAsking(true);
  };
  const left = pluralize(progress.pending, "person", "people");
  const button = (label: string, path: string, body?: object) => (
    <Button disabled={change.isPending} onClick={() => change.mutate([path, body])}>
      {label}
    </Button>
  );
  return (
    <div className="toolbar">
      {(state === "sending" || state === "scheduled") && button("Pause", `/${id}/pause`)}
      {state === "paused" && button("Resume", `/${id}/resume`)}
      {(state === "sending" || state === "scheduled" || state === "paused") && (
        <Button className="danger" onClick={ask}>
          Cancel message…
        </Button>
      )}
      {/* The team console's database role can't move deliveries to another message. */}
      {state === "canceled" &&
        progress.pending > 0 &&
        !isTeam() &&
        button(`Write to the ${left} who didn't get it`, `/${id}/rest`)}
      {button("Duplicate", "", { kind, ...draftOf(message) })}
      {change.error && <p role="alert">{change.error.message}</p>}
      {isAsking && (
        <ChangeDialog
          title="Cancel this message?"
          action="Cancel message"
          dismiss="Go back"
          isDestructive
          change={() => post(`/api/messages/${id}/cancel`)}
          onClose={() => setAsking(false)}
        >
          <p>
            {left} won't get it, and it can't be resumed.{!isTeam() && " You can write to them in another message."}
            {waveId && ` Everyone in wave ${waveId} stays invited.`}
          </p>
        </ChangeDialog>
      )}
    </div>
  );
}
