import { useState } from "react";
import { navigate, useView } from "#console/app/http/location.tsx";
import { FILTER_NAMES, type FilterName } from "#core/people/filter-fields.ts";
import { FilterInput } from "./filter-input.tsx";

/** Always in view; the others are behind "More filters". */
const FIRST: FilterName[] = ["search", "confirmed", "invited", "rejected", "newsletter"];
const MORE = FILTER_NAMES.filter((name) => !FIRST.includes(name));

/** Typing shouldn't ask for every letter. */
const TYPING_MS = 250;

/** The filters are the view's query parameters. */
export function Filters() {
  const values = new URLSearchParams(useView().query);
  const apply = (next: URLSearchParams) => navigate(`?${next}`, { replace: true });
  const change = (name: FilterName, value: string) => {
    const next = new URLSearchParams(values);
    if (value) next.set(name, value);
    else next.delete(name);
    if (next.toString() !== values.toString()) apply(next);
  };
  const inputs = (names: FilterName[]) =>
    names.map((name) => (
      <FilterInput
        key={name}
        name={name}
        value={values.get(name) ?? ""}
        onChange={(value) => change(name, value)}
        typingMs={TYPING_MS}
      />
    ));
  const more = MORE.filter((name) => values.has(name)).length;
  const [isOpen, setOpen] = useState(more > 0);
  return (
    <search className="filters">
      {inputs(FIRST)}
      {values.size > 0 && (
        <button type="button" onClick={() => apply(new URLSearchParams())}>
          Clear
        </button>
      )}
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{more ? `More filters (${more})` : "More filters"}</summary>
        <div>{inputs(MORE)}</div>
      </details>
    </search>
  );
}
