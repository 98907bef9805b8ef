import { useEffect, useEffectEvent, useRef, useState } from "react";
import { navigate, useParameters } from "#console/app/http/location.tsx";
import { Button } from "#console/app/ui/button.tsx";
import { FILTER_NAMES, FILTERS } from "#core/people/filter-fields.ts";
import { FilterMenu } from "./filter-menu.tsx";

const OTHERS = FILTER_NAMES.filter((name) => name !== "search");

/** The debounce delay while typing. */
const TYPING_MS = 250;

export function Filters() {
  const { values, change } = useParameters();
  const replaceAll = (next: Readonly<Record<string, string>>) =>
    navigate(`?${new URLSearchParams(next)}`, { replace: true });
  return (
    <search className="filters">
      <Search value={values.get("search") ?? ""} onChange={(value) => change("search", value)} />
      <FilterMenu names={OTHERS} query={Object.fromEntries(values)} onChange={replaceAll} />
      {values.size > 0 && <Button onClick={() => replaceAll({})}>Clear</Button>}
    </search>
  );
}

function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
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
    const timer = setTimeout(() => apply(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="search">
      <span>{FILTERS.search.label}</span>
      <input
        type="search"
        maxLength={254}
        placeholder={FILTERS.search.placeholder}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}
