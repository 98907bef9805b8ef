import { navigate, useView } from "#console/app/http/location.tsx";
import { Filters } from "./filters.tsx";
import { PeopleCount } from "./people-count.tsx";
import { PeopleTable } from "./people-table.tsx";
import { PersonPanel } from "./person-panel.tsx";

export function People({ id }: { id: string | undefined }) {
  const { query } = useView();
  const withQuery = (path: string) => (query ? `${path}?${query}` : path);
  return (
    <>
      <title>People</title>
      <div className="heading">
        <h1>People</h1>
        <PeopleCount query={query} />
      </div>
      <Filters />
      <PeopleTable
        key={query}
        query={query}
        selected={id}
        onOpen={(person) => navigate(withQuery(`/people/${person}`))}
      />
      {id && <PersonPanel key={id} id={id} onClose={() => navigate(withQuery("/people"))} />}
    </>
  );
}
