import { useState } from "react";
import { formatShortDateTime } from "#core/format.ts";

interface ScheduleFieldProps {
  /** In the reader's time zone, like 2026-11-30T09:00; "" for now. */
  at: string;
  onChange: (at: string) => void;
}

export function ScheduleField({ at, onChange }: ScheduleFieldProps) {
  const [tomorrow] = useState(() => tomorrowAt(9));
  return (
    <div className="fields">
      <label>
        <span>When</span>
        <select value={at && "later"} onChange={({ target }) => onChange(target.value && tomorrow)}>
          <option value="">Now</option>
          <option value="later">Tomorrow 9:00, or another time</option>
        </select>
      </label>
      {at && (
        <label>
          <span>Your time</span>
          <input
            type="datetime-local"
            required
            min={toInput(new Date())}
            value={at}
            // Keeps the last time while the input is incomplete.
            onChange={({ target }) => target.value && onChange(target.value)}
          />
        </label>
      )}
      {at && <p className="quiet wide-field">{zonedText(new Date(at))}</p>}
    </div>
  );
}

/** "Nov 30, 09:00 in your time zone (Europe/Berlin), Nov 30, 08:00 UTC" */
export function zonedText(date: Date): string {
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const local = new Intl.DateTimeFormat("en-US", options);
  const { timeZone } = local.resolvedOptions();
  return `${local.format(date)} in your time zone (${timeZone}), ${formatShortDateTime(date)} UTC`;
}

function tomorrowAt(hour: number): string {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  date.setHours(hour, 0, 0, 0);
  return toInput(date);
}

/** As the value of a datetime-local input. */
function toInput(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
