import { useEffect, useState } from "react";

const CHOICES = {
  confirmed: { label: "Confirmed", yes: "Confirmed", no: "Not confirmed" },
  invited: { label: "Invited", yes: "Invited", no: "Not invited" },
  newsletter: { label: "Newsletter", yes: "Subscribed", no: "Not subscribed" },
};

/** Typing shouldn't ask for every letter. */
const TYPING_MS = 250;

export function Filters({
  values,
  onChange,
}: {
  values: URLSearchParams;
  onChange: (values: URLSearchParams) => void;
}) {
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(values);
    if (value) next.set(name, value);
    else next.delete(name);
    if (next.toString() !== values.toString()) onChange(next);
  };
  return (
    <search className="filters">
      <TextFilter
        label="Search"
        placeholder="Address, name or company"
        value={values.get("search")}
        onChange={(text) => set("search", text)}
      />
      {Object.entries(CHOICES).map(([name, { label, yes, no }]) => (
        <label key={name}>
          <span>{label}</span>
          <select value={values.get(name) ?? ""} onChange={({ target }) => set(name, target.value)}>
            <option value="">Any</option>
            <option value="yes">{yes}</option>
            <option value="no">{no}</option>
          </select>
        </label>
      ))}
      <label>
        <span>Joined from</span>
        <input type="date" value={values.get("since") ?? ""} onChange={({ target }) => set("since", target.value)} />
      </label>
      <label>
        <span>Joined before</span>
        <input type="date" value={values.get("until") ?? ""} onChange={({ target }) => set("until", target.value)} />
      </label>
      {values.size > 0 && (
        <button type="button" onClick={() => onChange(new URLSearchParams())}>
          Clear
        </button>
      )}
    </search>
  );
}

interface TextFilterProps {
  label: string;
  placeholder: string;
  value: string | null;
  onChange: (text: string) => void;
}

function TextFilter({ label, placeholder, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value ?? "");
  useEffect(() => setText(value ?? ""), [value]);
  useEffect(() => {
    const timer = setTimeout(() => onChange(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="search">
      <span>{label}</span>
      <input type="search" placeholder={placeholder} value={text} onChange={({ target }) => setText(target.value)} />
    </label>
  );
}
