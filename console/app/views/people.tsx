import { useState } from "react";
import { Link, navigate, useView } from "#console/app/http/location.tsx";
import { useApi } from "#console/app/http/use-api.ts";
import { Button, ButtonLink } from "#console/app/ui/button.tsx";
import { PersonPanel } from "#console/app/views/person/person-panel.tsx";
import type { MessageKind } from "#console/contract/messages.ts";
import type { PeopleCount as Count } from "#console/contract/people.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { AUDIENCE_FILTERS, impossibleFilters } from "#core/people/filter-fields.ts";
import { Filters } from "./filters/filters.tsx";
import { Import } from "./import.tsx";
import { PeopleCount } from "./people-count.tsx";
import { PeopleTable } from "./people-table.tsx";
import { SetAsideDialog } from "./quarantine/set-aside-dialog.tsx";

export function People({ id, role }: { id: string | undefined; role: Role }) {
  const { query } = useView();
  const [outcome, setOutcome] = useState("");
  const [isSettingAside, setSettingAside] = useState(false);
  const withQuery = (path: string) => (query ? `${path}?${query}` : path);
  const close = () => navigate(withQuery("/people"));
  const filters = Object.fromEntries(new URLSearchParams(query));
  const names = Object.keys(filters);
  const mayWrite = may(role, "write");
  const { data: count } = useApi<Count>(`/api/people/count?${query}`);
  const isAudience = (kind: MessageKind) =>
    mayWrite &&
    names.every((name) => AUDIENCE_FILTERS.some((filter) => filter === name)) &&
    impossibleFilters(kind, filters).length === 0;
  if (id === "import" && mayWrite) return <Import />;
  return (
    <>
      <title>People</title>
      <div className="heading">
        <h1>People</h1>
        <PeopleCount query={query} />
        {names.length === 0 && mayWrite && (
          <p className="actions">
            <ButtonLink href="/people/import">Import…</ButtonLink>
          </p>
        )}
        {/* Not for matches inside words, because exports and setting aside match only beginnings. */}
        {names.length > 0 && count?.people !== 0 && (
          <p className="actions">
            {may(role, "export") && <ButtonLink href={withQuery("/export")}>Export these</ButtonLink>}
            {mayWrite && <Button onClick={() => setSettingAside(true)}>Set aside…</Button>}
            {isAudience("invitation") && !("accepted" in filters) && (
              <ButtonLink href={`/messages/new?kind=invitation&${query}`}>Invite these people</ButtonLink>
            )}
            {isAudience("announcement") && (
              <Link className="button primary" href={`/messages/new?kind=announcement&${query}`}>
                Email these people
              </Link>
            )}
          </p>
        )}
      </div>
      <p role="status" className="outcome">
        {outcome}
      </p>
      <Filters />
      <PeopleTable key={query} query={query} selected={id} hrefOf={(person) => withQuery(`/people/${person}`)} />
      {isSettingAside && <SetAsideDialog query={query} onDone={setOutcome} onClose={() => setSettingAside(false)} />}
      {id && (
        <PersonPanel
          key={id}
          id={id}
          onClose={close}
          onErased={() => {
            setOutcome("Erased. They are no longer on the list.");
            close();
          }}
        />
      )}
    </>
  );
}
