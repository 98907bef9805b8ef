import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useApi } from "#console/app/http/use-api.ts";
import { fromLocal, toLocal } from "#console/app/ui/local-time.ts";
import type { Overview } from "#console/contract/overview.ts";
import { FILTERS, type FilterField, type FilterName, NONE } from "#core/people/filter-fields.ts";
import { AnswerInput } from "./questions/answer-input.tsx";

interface FilterInputProps {
  name: FilterName;
  /** As in a view's URL: "yes" or "no", a date like 2026-11-30 in UTC or a timestamp, or "" for any. */
  value: string;
  onChange: (value: string) => void;
  /** The debounce delay for text. */
  typingMs?: number;
}

export function FilterInput({ name, value, onChange, typingMs = 0 }: FilterInputProps) {
  const filter: FilterField = FILTERS[name];
  const id = useId();
  if (filter.type === "answer") return <AnswerInput value={value} onChange={onChange} />;
  return (
    <label htmlFor={id} className={name === "search" ? "search" : undefined}>
      <span>{filter.label}</span>
      {filter.type === "choice" && (
        <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">Any</option>
          <option value="yes">{filter.yes.label}</option>
          <option value="no">{filter.no.label}</option>
        </select>
      )}
      {filter.type === "date" && <DateInput id={id} value={value} onChange={onChange} />}
      {(filter.type === "text" || filter.type === "id") && (
        <TextInput id={id} name={name} filter={filter} value={value} onChange={onChange} typingMs={typingMs} />
      )}
    </label>
  );
}

/** Suggests common names, because the filters by name match only exact names. */
export function KnownNames() {
  const { data } = useApi<Overview>("/api/overview?range=all", { staleTime: Number.POSITIVE_INFINITY });
  const { sources = [], companies = [], domains = [] } = data?.range ?? {};
  const known: Partial<Record<FilterName, string[]>> = {
    company: companies.map(({ name }) => name),
    domain: domains.map(({ name }) => name),
    source: sources.map(({ source }) => source ?? NONE),
    medium: sources.map(({ medium }) => medium ?? NONE),
    campaign: sources.map(({ campaign }) => campaign ?? NONE),
  };
  return Object.entries(known).map(([name, values]) => (
    <datalist key={name} id={`known-${name}`}>
      {[...new Set(values)].map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  ));
}

type InputProps = Pick<FilterInputProps, "value" | "onChange"> & { id: string };

/** A date in the reader's zone, or a time if the value, such as a draft's, isn't midnight there. */
function DateInput({ id, value, onChange }: InputProps) {
  const local = value && toLocal(value);
  const isDay = !local || local.endsWith("T00:00");
  return (
    <input
      id={id}
      type={isDay ? "date" : "datetime-local"}
      value={isDay ? local.slice(0, 10) : local}
      onChange={({ target }) => onChange(target.value && fromLocal(isDay ? `${target.value}T00:00` : target.value))}
    />
  );
}

interface TextInputProps extends InputProps {
  name: FilterName;
  filter: FilterField & { type: "text" | "id" };
  typingMs: number;
}

function TextInput({ id, name, filter, value, onChange, typingMs }: TextInputProps) {
  const [text, setText] = useState(value);
  // The last value passed to onChange. When it comes back as `value`, it must not overwrite letters typed since.
  const applied = useRef(value);
  useEffect(() => {
    if (value !== applied.current) setText(value);
    applied.current = value;
  }, [value]);
  const apply = useEffectEvent(() => {
    if (text.trim() === applied.current) return;
    applied.current = text.trim();
    onChange(applied.current);
  });
  useEffect(() => {
    const timer = setTimeout(() => apply(), typingMs);
    return () => clearTimeout(timer);
  }, [text, typingMs]);
  return (
    <input
      id={id}
      type="search"
      maxLength={254}
      {...(filter.type === "id" && { pattern: "[1-9][0-9]*", title: "An ID, like 12" })}
      placeholder={filter.placeholder}
      list={`known-${name}`}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}
