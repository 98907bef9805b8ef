import { useState } from "react";
import { YesNoSelect } from "#console/app/ui/yes-no-select.tsx";
import { TextFilter } from "./text-filter.tsx";

/** Keys are URL query parameters. */
const YES_OR_NO = {
  confirmed: { label: "Confirmed", yes: "Confirmed", no: "Not confirmed" },
  invited: { label: "Invited", yes: "Invited", no: "Not invited" },
  rejected: { label: "Rejected", yes: "Rejected", no: "Not rejected" },
};

const NEWSLETTER = {
  Any: "",
  Subscribed: "newsletter=yes",
  "Not subscribed": "newsletter=no",
  Unsubscribed: "unsubscribed=yes",
};

const DATES = { since: "Joined from", until: "Joined before" };

const TEXTS = {
  company: { label: "Company", placeholder: "Acme" },
  source: { label: "Source", placeholder: "utm_source" },
  medium: { label: "Medium", placeholder: "utm_medium" },
  campaign: { label: "Campaign", placeholder: "utm_campaign" },
  wave: { label: "Wave", placeholder: "12" },
};

const MORE = [...Object.keys(DATES), ...Object.keys(TEXTS)];

interface FiltersProps {
  values: URLSearchParams;
  onChange: (values: URLSearchParams) => void;
}

export function Filters({ values, onChange }: FiltersProps) {
  const change = (changes: Record<string, string>) => {
    const next = new URLSearchParams(values);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    if (next.toString() !== values.toString()) onChange(next);
  };
  const current = (name: string) => values.get(name) ?? "";
  const more = MORE.filter((name) => values.has(name)).length;
  const [isOpen, setOpen] = useState(more > 0);
  return (
    <search className="filters">
      <TextFilter
        label="Search"
        placeholder="Address, name or company"
        className="search"
        value={current("search")}
        onChange={(search) => change({ search })}
      />
      {Object.entries(YES_OR_NO).map(([name, texts]) => (
        <YesNoSelect key={name} {...texts} value={current(name)} onChange={(value) => change({ [name]: value })} />
      ))}
      <NewsletterFilter values={values} onChange={change} />
      {values.size > 0 && (
        <button type="button" onClick={() => onChange(new URLSearchParams())}>
          Clear
        </button>
      )}
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{more ? `More filters (${more})` : "More filters"}</summary>
        <div>
          {Object.entries(DATES).map(([name, label]) => (
            <label key={name}>
              <span>{label}</span>
              <input type="date" value={current(name)} onChange={({ target }) => change({ [name]: target.value })} />
            </label>
          ))}
          {Object.entries(TEXTS).map(([name, texts]) => (
            <TextFilter key={name} {...texts} value={current(name)} onChange={(text) => change({ [name]: text })} />
          ))}
        </div>
      </details>
    </search>
  );
}

/** Two filters of the list as one choice: someone who unsubscribed is also not subscribed. */
function NewsletterFilter({
  values,
  onChange,
}: {
  values: URLSearchParams;
  onChange: (changes: Record<string, string>) => void;
}) {
  const chosen = ["newsletter", "unsubscribed"]
    .filter((name) => values.has(name))
    .map((name) => `${name}=${values.get(name)}`);
  return (
    <label>
      <span>Newsletter</span>
      <select
        value={chosen.at(-1) ?? ""}
        onChange={({ target }) => {
          const [name = "", value = ""] = target.value.split("=");
          onChange({ newsletter: "", unsubscribed: "", ...(name && { [name]: value }) });
        }}
      >
        {Object.entries(NEWSLETTER).map(([label, value]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
