import { FilterMenu } from "#console/app/views/filters/filter-menu.tsx";
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
  const { next, ...filters } = audience;
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
            value={next ?? ""}
            onChange={({ target: { value } }) => onChange({ audience: { ...filters, ...(value && { next: value }) } })}
          />
        </label>
      )}
      <div className="toolbar wide-field">
        <FilterMenu names={names} query={audience} onChange={(changed) => onChange({ audience: changed })} />
      </div>
    </fieldset>
  );
}
