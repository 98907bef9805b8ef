import { Button } from "#console/app/ui/button.tsx";
import { formatShortDateTime } from "#core/text/format.ts";

/** `at` is in the reader's time zone, like 2026-11-30T09:00, or "" for now. */
export function ScheduleField({ at, onChange }: { at: string; onChange: (at: string) => void }) {
  return (
    <div className="fields">
      <label className="wide-field">
        <span>When, in your time zone</span>
        <input type="datetime-local" value={at} onChange={({ target }) => onChange(target.value)} />
      </label>
      <Button onClick={() => onChange(at ? "" : tomorrowAt("09:00"))}>{at ? "Send now" : "Tomorrow 9:00"}</Button>
      <p className="wide-field">{at ? `It starts ${zonedText(at)}.` : "It starts now."}</p>
    </div>
  );
}

/** "Nov 30, 09:00 in your time zone (Europe/Berlin), Nov 30, 08:00 UTC" */
export function zonedText(at: string): string {
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const local = new Intl.DateTimeFormat("en-US", options);
  const { timeZone } = local.resolvedOptions();
  return `${local.format(new Date(at))} in your time zone (${timeZone}), ${formatShortDateTime(new Date(at))} UTC`;
}

function tomorrowAt(time: string): string {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  // Swedish dates are ISO dates.
  return `${date.toLocaleDateString("sv")}T${time}`;
}
