import { ListFilter, X } from "lucide-react";
import { useState } from "react";
import { navigate, useParameters } from "#console/app/http/location.tsx";
import { useQuestions } from "#console/app/http/use-api.ts";
import { localDateTime } from "#console/app/ui/local-time.ts";
import { describeFilter, FILTER_NAMES, type FilterName } from "#core/people/filter-fields.ts";
import { FilterInput, KnownNames } from "./filter-input.tsx";

const OTHERS = FILTER_NAMES.filter((name) => name !== "search");

/** The debounce delay while typing. */
const TYPING_MS = 250;

export function Filters() {
  const { values, change } = useParameters();
  const questions = useQuestions();
  const [isOpen, setOpen] = useState(false);
  const input = (name: FilterName) => (
    <FilterInput
      key={name}
      name={name}
      value={values.get(name) ?? ""}
      onChange={(value) => change(name, value)}
      typingMs={TYPING_MS}
    />
  );
  return (
    <search className="filters">
      {input("search")}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="button">
          <ListFilter size={14} aria-hidden /> Filters
        </summary>
        {isOpen && (
          <div className="fields">
            {OTHERS.map(input)}
            <KnownNames />
          </div>
        )}
      </details>
      {OTHERS.filter((name) => values.has(name)).map((name) => (
        <button key={name} type="button" className="chip" title="Remove this filter" onClick={() => change(name, "")}>
          {describeFilter(name, values.get(name) ?? "", localDateTime, questions)} <X size={12} aria-hidden />
        </button>
      ))}
      {values.size > 0 && (
        <button type="button" onClick={() => navigate("?", { replace: true })}>
          Clear
        </button>
      )}
    </search>
  );
}
