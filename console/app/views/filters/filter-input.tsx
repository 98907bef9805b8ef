import { type KeyboardEvent, useState } from "react";
import { fromLocal, toLocal } from "#console/app/ui/local-time.ts";
import { Segments } from "#console/app/ui/segments.tsx";
import { AnswerInput } from "#console/app/views/questions/answer-input.tsx";
import { FILTERS, type FilterField, type FilterName, OR } from "#core/people/filter-fields.ts";
import { useKnownNames, useNames } from "./use-filter-names.ts";

export interface FilterInputProps {
  name: FilterName;
  /** As in a view's URL: "yes", "no", a UTC date like 2026-11-30, a timestamp, or "" for any. */
  value: string;
  onChange: (value: string) => void;
}

export function FilterInput(props: FilterInputProps) {
  const { name, value, onChange } = props;
  const filter: FilterField = FILTERS[name];
  if (filter.type === "answer") return <AnswerInput value={value} onChange={onChange} />;
  if (filter.type === "date") return <DateInput {...props} />;
  if (filter.type === "id") return <IdInput {...props} />;
  if (filter.type !== "choice") return <NamesInput {...props} />;
  const titles: Record<string, string> = { "": "Any", yes: filter.yes.label, no: filter.no.label };
  return <Segments label={filter.label} titles={titles} chosen={value} onChoose={onChange} />;
}

/** In the reader's zone: a date, or a date and time for values that aren't midnight, as in some drafts. */
function DateInput({ name, value, onChange }: FilterInputProps) {
  const local = value && toLocal(value);
  const isDay = !local || local.endsWith("T00:00");
  return (
    <input
      aria-label={FILTERS[name].label}
      type={isDay ? "date" : "datetime-local"}
      value={isDay ? local.slice(0, 10) : local}
      onChange={({ target }) => onChange(target.value && fromLocal(isDay ? `${target.value}T00:00` : target.value))}
    />
  );
}

function IdInput({ name, value, onChange }: FilterInputProps) {
  const known = useNames({ [name]: value })[name as "wave" | "message"];
  return (
    <select aria-label={FILTERS[name].label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">Any</option>
      {value && !known.has(value) && <option>{value}</option>}
      {[...known].map(([id, text]) => (
        <option key={id} value={id}>
          {name === "wave" ? `${text} (ID ${id})` : text}
        </option>
      ))}
    </select>
  );
}

/** An input that adds a name, and checkboxes for common names and chosen ones. */
function NamesInput({ name, value, onChange }: FilterInputProps) {
  const { label } = FILTERS[name];
  const [text, setText] = useState("");
  const chosen = value ? value.split(OR) : [];
  const set = (each: string, isChosen: boolean) =>
    onChange([...chosen.filter((other) => other !== each), ...(isChosen ? [each] : [])].join(OR));
  const add = () => {
    if (text.trim()) set(text.trim(), true);
    setText("");
  };
  return (
    <>
      <input
        aria-label={label}
        maxLength={254}
        placeholder={`Add a ${label.toLowerCase()}`}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onEnter(add)}
        onBlur={add}
      />
      <fieldset className="choices" aria-label={label}>
        {[...new Set([...useKnownNames(name), ...chosen])].map((each) => (
          <label key={each}>
            <input
              type="checkbox"
              checked={chosen.includes(each)}
              onChange={({ target }) => set(each, target.checked)}
            />
            <bdi>{each}</bdi>
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** For an input that may be in a draft's form, where Enter would save the draft. */
const onEnter = (act: () => void) => (event: KeyboardEvent) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  act();
};
