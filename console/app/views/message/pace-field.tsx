import type { DraftFields, Pace } from "#console/contract/messages.ts";

type Timing = Pick<DraftFields, "pace" | "delay">;

/** The default limit, which leaves time to react to the first replies. */
const FIRST_COUNT = 200;

export function PaceField({ pace, delay, onChange }: Timing & { onChange: (change: Partial<Timing>) => void }) {
  const count = pace?.count ?? FIRST_COUNT;
  const number = (label: string, max: string, value: number, set: (value: number) => void) => (
    <label>
      <span>{label}</span>
      <input
        type="number"
        required
        min="1"
        max={max}
        value={value || ""}
        onChange={({ target }) => set(Number(target.value))}
      />
    </label>
  );
  return (
    <fieldset className="fields">
      <legend>Pace</legend>
      {delay !== null && number("Days after someone joins", "25", delay, (days) => onChange({ delay: days }))}
      <label>
        <span>Send</span>
        <select
          value={pace?.unit ?? ""}
          onChange={({ target }) =>
            onChange({ pace: target.value ? { count, unit: target.value as Pace["unit"] } : null })
          }
        >
          <option value="">As fast as possible</option>
          <option value="hour">Limited per hour</option>
          <option value="day">Limited per day</option>
        </select>
      </label>
      {pace &&
        number(`Emails per ${pace.unit}`, "2147483647", pace.count, (count) => onChange({ pace: { ...pace, count } }))}
    </fieldset>
  );
}
