import { useQuery } from "@tanstack/react-query";
import { get } from "#console/app/http/request.ts";
import { YesNoSelect } from "#console/app/ui/yes-no-select.tsx";
import type { AudienceFields, MessageKind } from "#console/contract/messages.ts";
import type { Overview } from "#console/contract/overview.ts";

const TEXTS = { campaign: "Campaign", source: "Source", medium: "Medium", company: "Company" };
const CHOICES = {
  newsletter: { label: "Newsletter", yes: "Subscribed", no: "Not subscribed" },
  confirmed: { label: "Address", yes: "Confirmed", no: "Not confirmed" },
  invited: { label: "Invited", yes: "Invited", no: "Not invited" },
};
const DATES = { since: "Joined from", until: "Joined before" };

interface AudienceFormProps {
  kind: MessageKind;
  audience: AudienceFields;
  /** Once people are in the audience, who they are can't change. */
  isFixed: boolean;
  onChange: (audience: AudienceFields) => void;
}

/** The filters that choose who gets the message. */
export function AudienceForm({ kind, audience, isFixed, onChange }: AudienceFormProps) {
  const set = (name: string, value: string) => {
    const { [name]: _before, ...others } = audience;
    onChange(value ? { ...others, [name]: value } : others);
  };
  const isInvitation = kind === "invitation";
  const choices = Object.entries(CHOICES).filter(([name]) => name !== "invited" || !isInvitation);
  return (
    <fieldset className="fields audience" disabled={isFixed}>
      <legend>Audience</legend>
      {isFixed && <p className="quiet wide-field">The audience is final. You can still edit the text and the pace.</p>}
      {isInvitation && (
        <label className="wide-field">
          <span>How many people, in the order they joined</span>
          <input
            type="number"
            min="1"
            max="2147483647"
            placeholder="Everyone below"
            value={audience.next ?? ""}
            onChange={({ target }) => set("next", target.value)}
          />
        </label>
      )}
      {Object.entries(TEXTS).map(([name, label]) => (
        <label key={name}>
          <span>{label}</span>
          <input
            type="text"
            maxLength={254}
            placeholder="Any"
            list={name === "company" ? undefined : `known-${name}`}
            value={audience[name] ?? ""}
            onChange={({ target }) => set(name, target.value)}
          />
        </label>
      ))}
      {choices.map(([name, texts]) => (
        <YesNoSelect key={name} {...texts} value={audience[name] ?? ""} onChange={(value) => set(name, value)} />
      ))}
      {!isInvitation && (
        <label>
          <span>Wave</span>
          <input
            type="text"
            pattern="[1-9][0-9]*"
            title="The number of a wave"
            placeholder="Any"
            value={audience.wave ?? ""}
            onChange={({ target }) => set("wave", target.value)}
          />
        </label>
      )}
      {Object.entries(DATES).map(([name, label]) => (
        <DateField
          key={name}
          label={`${label} (UTC)`}
          value={audience[name] ?? ""}
          onChange={(value) => set(name, value)}
        />
      ))}
      {audience.rejected && (
        <YesNoSelect
          label="Rejected address"
          yes="Rejected"
          no="Not rejected"
          value={audience.rejected}
          onChange={(value) => set("rejected", value)}
        />
      )}
      <KnownCampaigns />
    </fieldset>
  );
}

interface DateFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A day; or a time, if the draft was written on the command line with one. */
function DateField({ label, value, onChange }: DateFieldProps) {
  const isDay = value.length <= 10;
  return (
    <label>
      <span>{label}</span>
      <input
        type={isDay ? "date" : "datetime-local"}
        step={isDay ? undefined : "0.001"}
        value={value.replace("Z", "")}
        onChange={({ target }) =>
          onChange(isDay || !target.value ? target.value : new Date(`${target.value}Z`).toISOString())
        }
      />
    </label>
  );
}

/** Suggests the names that brought people, because a filter matches only the exact one. */
function KnownCampaigns() {
  const { data } = useQuery({
    queryKey: ["overview", "all"],
    queryFn: ({ signal }) => get<Overview>("/api/overview?range=all", signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (["campaign", "source", "medium"] as const).map((name) => (
    <datalist key={name} id={`known-${name}`}>
      {[...new Set(data?.range?.sources.map((row) => row[name]))].map(
        (value) => value && <option key={value} value={value} />,
      )}
    </datalist>
  ));
}
