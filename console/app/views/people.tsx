import { useQuery } from "@tanstack/react-query";
import { navigate, useView } from "#console/app/http/location.tsx";
import { get } from "#console/app/http/request.ts";
import type { PeopleCount } from "#console/contract.ts";
import { countText } from "./count-text.ts";
import { Filters } from "./filters.tsx";
import { PeopleTable } from "./people-table.tsx";
import { PersonPanel } from "./person-panel.tsx";

export function People({ id, isReadOnly }: { id: string | undefined; isReadOnly: boolean }) {
  const { query } = useView();
  const count = useQuery({
    queryKey: ["people", "count", query],
    queryFn: ({ signal }) => get<PeopleCount>(`/api/people/count?${query}`, signal),
  });
  const withQuery = (path: string) => (query ? `${path}?${query}` : path);
  return (
    <>
      <title>People</title>
      <div className="heading">
        <h1>People</h1>
        <p className="quiet" role="status">
          {countText(count.data)}
        </p>
      </div>
      <Filters values={new URLSearchParams(query)} onChange={(values) => navigate(`?${values}`, { replace: true })} />
      <PeopleTable
        key={query}
        query={query}
        selected={id}
        onOpen={(person) => navigate(withQuery(`/people/${person}`))}
      />
      {id && <PersonPanel key={id} id={id} isReadOnly={isReadOnly} onClose={() => navigate(withQuery("/people"))} />}
    </>
  );
}
