import { Link } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { useApi, useChange, useMessageSettings } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import type { Message } from "#console/contract/messages.ts";
import type { PeopleCount } from "#console/contract/people.ts";
import { formatNumber } from "#core/text/format.ts";

/** Turns the reminder on or off, and shows its results. */
export function ReminderSwitch({ message: { id, state, progress, results, note } }: { message: Message }) {
  const settings = useMessageSettings();
  const since = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ confirmed: "no", since });
  const { data: unconfirmed } = useApi<PeopleCount>(`/api/people/count?${query}`);
  const isOn = state === "sending";
  const change = useChange(() => post(`/api/messages/${id}/${isOn ? "pause" : "resume"}`));
  const { sent, bounced, complained } = progress;
  return (
    <section className="card draft" aria-label="Reminder">
      <div className="toolbar">
        <Button
          className={isOn ? "" : "primary"}
          disabled={change.isPending || !(isOn || settings.data?.isMailed)}
          onClick={() => change.mutate()}
        >
          {isOn ? "Turn off" : "Turn on"}
        </Button>
        <span>
          {formatNumber(sent + bounced + complained)} sent, {formatNumber(results.reminded)} confirmed since
        </span>
      </div>
      {note && <p role="note">{note}</p>}
      {change.error && <p role="alert">{change.error.message}</p>}
      <p className="quiet">
        Goes once to each person who got the confirmation email, didn't confirm, and joined in the last 30 days: at most{" "}
        <Link href={`/people?${query}`}>{unconfirmed ? formatNumber(unconfirmed.people) : "…"}</Link> now.
      </p>
    </section>
  );
}
