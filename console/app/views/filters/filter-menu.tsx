import { ListFilter, X } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "#console/app/ui/button.tsx";
import { FILTERS, type FilterName } from "#core/people/filter-fields.ts";
import { FilterInput, type FilterInputProps } from "./filter-input.tsx";
import { type FilterQuery, useFilterText } from "./use-filter-names.ts";

interface FilterMenuProps {
  names: FilterName[];
  query: FilterQuery;
  onChange: (query: FilterQuery) => void;
}

/** A button that opens these filters, and a chip for each that is set. Keeps the query's other filters. */
export function FilterMenu({ names, query, onChange }: FilterMenuProps) {
  const id = useId();
  const describe = useFilterText(query);
  const isOffered = (name: string) => names.some((each) => each === name);
  const only = (isKept: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(query).filter(([name, value]) => value && isKept(name)));
  const set = (name: string, value: string) =>
    onChange({ ...only((each) => each !== name), ...(value && { [name]: value }) });
  const chosen = only(isOffered);
  return (
    <>
      <Button className="button" popoverTarget={id}>
        <ListFilter size={14} aria-hidden /> Filter
      </Button>
      <div id={id} popover="auto" className="filter-menu">
        {[...Map.groupBy(names, (name) => FILTERS[name].group)].map(([group, fields]) => (
          <section key={group} aria-label={group}>
            <p className="quiet">{group}</p>
            {fields.map((name) => (
              <Field key={name} name={name} value={query[name] ?? ""} onChange={(value) => set(name, value)} />
            ))}
          </section>
        ))}
      </div>
      {Object.entries(chosen).map(([name, value]) => (
        <Button key={name} className="chip" title="Remove this filter" onClick={() => set(name, "")}>
          <bdi>{describe(name as FilterName, value)}</bdi> <X size={12} aria-hidden />
        </Button>
      ))}
    </>
  );
}

/** Opening a field closes the others, because all have the same `name`. */
function Field(props: FilterInputProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details name="filter" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{FILTERS[props.name].label}</summary>
      {isOpen && (
        <div className="field" ref={focusFirst}>
          <FilterInput {...props} />
        </div>
      )}
    </details>
  );
}

function focusFirst(field: HTMLElement | null) {
  field?.querySelector<HTMLElement>("input, select, button")?.focus();
}
