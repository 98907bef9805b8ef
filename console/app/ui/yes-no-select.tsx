interface YesNoSelectProps {
  label: string;
  /** What the two answers are called. */
  yes: string;
  no: string;
  /** "yes", "no", or "" for any. */
  value: string;
  onChange: (value: string) => void;
}

/** A filter by yes or no. */
export function YesNoSelect({ label, yes, no, value, onChange }: YesNoSelectProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">Any</option>
        <option value="yes">{yes}</option>
        <option value="no">{no}</option>
      </select>
    </label>
  );
}
