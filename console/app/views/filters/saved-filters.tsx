import { X } from "lucide-react";
import { useState } from "react";
import { Button } from "#console/app/ui/button.tsx";
import { onEnter } from "./filter-input.tsx";
import type { FilterQuery } from "./use-filter-names.ts";

const KEY = "filters";

interface SavedFiltersProps {
  query: FilterQuery;
  isOffered: (name: string) => boolean;
  onChoose: (query: FilterQuery) => void;
}

/** Saves filters in this browser only, until the operator signs out. */
export function SavedFilters({ query, isOffered, onChoose }: SavedFiltersProps) {
  const [saved, setSaved] = useState<Record<string, FilterQuery>>(() => JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  const [name, setName] = useState("");
  const store = (next: Record<string, FilterQuery>) => {
    localStorage.setItem(KEY, JSON.stringify(next));
    setSaved(next);
    setName("");
  };
  const save = () => name.trim() && store({ ...saved, [name.trim()]: query });
  // Leaves out queries with a filter not offered here, because dropping the filter would match more people.
  const usable = Object.entries(saved).filter(([, each]) => Object.keys(each).every(isOffered));
  const hasFilters = Object.keys(query).length > 0;
  if (!hasFilters && usable.length === 0) return null;
  return (
    <section aria-label="Saved in this browser">
      <p className="quiet">Saved in this browser</p>
      {usable.map(([each, savedQuery]) => (
        <p key={each} className="toolbar">
          <Button className="chip" onClick={() => onChoose(savedQuery)}>
            <bdi>{each}</bdi>
          </Button>
          <Button
            className="icon-button"
            aria-label={`Remove ${each}`}
            onClick={() => store(Object.fromEntries(Object.entries(saved).filter(([other]) => other !== each)))}
          >
            <X size={12} aria-hidden />
          </Button>
        </p>
      ))}
      {hasFilters && (
        <p className="toolbar">
          <input
            aria-label="Name for these filters"
            placeholder="Name these filters"
            value={name}
            onChange={({ target }) => setName(target.value)}
            onKeyDown={onEnter(save)}
          />
          <Button onClick={save}>Save</Button>
        </p>
      )}
    </section>
  );
}
