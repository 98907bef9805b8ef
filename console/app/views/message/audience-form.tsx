import { FilterInput, KnownNames } from "#console/app/views/filter-input.tsx";
import type { AudienceFields, MessageKind } from "#console/contract/messages.ts";
import { AUDIENCE_FILTERS, RECIPIENTS } from "#core/people/filter-fields.ts";

interface AudienceFormProps {
  kind: MessageKind;
  audience: AudienceFields;
  /** Once the audience has people, its filters can't change. */
  isFixed: boolean;
  onChange: (changes: { audience: AudienceFields }) => void;
}

export function AudienceForm({ kind, audience, isFixed, onChange }: AudienceFormProps) {
  const set = (name: string, value: string) => {
    const { [name]: _before, ...others } = audience;
    onChange({ audience: value ? { ...others, [name]: value } : others });
  };
  // A filter that every recipient matches isn't offered, but can be removed from a draft that has it.
  const names = AUDIENCE_FILTERS.filter((name) => !(name in RECIPIENTS[kind]) || audience[name]);
  return (
    <fieldset className="fields" disabled={isFixed}>
      <legend>Audience</legend>
      {isFixed && <p className="quiet wide-field">The audience is final. You can still edit the text and the pace.</p>}
      {kind === "invitation" && (
        <label className="wide-field">
          <span>How many people, next in line</span>
          <input
            type="number"
            min="1"
            max="2147483647"
            placeholder="No limit"
            value={audience.next ?? ""}
            onChange={({ target }) => set("next", target.value)}
          />
        </label>
      )}
      {names.map((name) => (
        <FilterInput key={name} name={name} value={audience[name] ?? ""} onChange={(value) => set(name, value)} />
      ))}
      <KnownNames />
    </fieldset>
  );
}
