import type { DraftFields, Pace } from "#console/contract/messages.ts";

type Timing = Pick<DraftFields, "pace" | "delay">;

/** The default limit, slow enough to react to the first replies. */
const FIRST_COUNT = 200;

export function PaceField({ pace, delay, onChange }: Timing & { onChange: (change: Partial<Timing>) => void }) {
  const count = pace?.count ?? FIRST_COUNT;
  return (
    <fieldset className="fields">
      <legend>Pace</legend>
      {delay !== null && (
        <label>
          <span>Days after someone joins</span>
          <input
            type="number"
            required
            min="1"
            max="25"
            value={delay || ""}
            onChange={({ target }) => onChange({ delay: Number(target.value) })}
          />
        </label>
      )}
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
      {pace && (
        <label>
          <span>Emails per {pace.unit}</span>
          <input
            type="number"
            required
            min="1"
            max="2147483647"
            value={pace.count || ""}
            onChange={({ target }) => onChange({ pace: { ...pace, count: Number(target.value) } })}
          />
        </label>
      )}
    </fieldset>
  );
}
