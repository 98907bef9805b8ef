import { type FormEvent, useState } from "react";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi, useChange } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { QUARANTINE_DAYS, type QuarantinedDomain } from "#console/contract/people.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { formatDate } from "#core/text/format.ts";

/** The domains whose new sign-ups go to quarantine. */
export function Domains({ role }: { role: Role }) {
  const [domain, setDomain] = useState("");
  const [days, setDays] = useState(QUARANTINE_DAYS[0]);
  const { data: domains = [] } = useApi<QuarantinedDomain[]>("/api/quarantined-domains", LIVE);
  const change = useChange(([path, body]: [path: string, body: object]) =>
    post(`/api/quarantined-domains${path}`, body),
  );
  const mayWrite = may(role, "write");
  const add = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(["", { domain, days }], { onSuccess: () => setDomain("") });
  };
  return (
    <details className="day" open={domains.length > 0}>
      <summary>Quarantined domains</summary>
      <ul className="history">
        {domains.map(({ domain: name, until }) => (
          <li key={name} className="toolbar">
            <span>
              New sign-ups from <bdi>{name}</bdi>, until {formatDate(new Date(until))}
            </span>
            {mayWrite && (
              <Button onClick={() => change.mutate(["/remove", { domain: name }])}>
                Stop<span className="visually-hidden"> quarantining {name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <form className="toolbar" onSubmit={add}>
          <input
            aria-label="Mail domain"
            placeholder="acme.com"
            required
            value={domain}
            onChange={({ target }) => setDomain(target.value)}
          />
          <select aria-label="For how long" value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {QUARANTINE_DAYS.map((each) => (
              <option key={each} value={each}>
                {each} days
              </option>
            ))}
          </select>
          <button type="submit" disabled={change.isPending}>
            Quarantine new sign-ups
          </button>
        </form>
      )}
      {change.error && <p role="alert">{change.error.message}</p>}
    </details>
  );
}
