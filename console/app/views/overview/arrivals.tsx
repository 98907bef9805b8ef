import { Link } from "#console/app/http/location.tsx";
import { Ago } from "#console/app/ui/ago.tsx";
import type { Arrival } from "#console/contract/overview.ts";

export function Arrivals({ people }: { people: Arrival[] }) {
  return (
    <section className="card newest">
      <header>
        <h2>Newest</h2>
        <Link href="/people" className="quiet">
          All people
        </Link>
      </header>
      <ol className="arrivals">
        {people.map(({ id, email, firstName, lastName, company, joinedAt }) => (
          <li key={id}>
            <Link href={`/people/${id}`}>
              <bdi>{email}</bdi>
            </Link>
            <Ago at={joinedAt} />
            <bdi className="quiet">
              {firstName} {lastName}
              {company && ` · ${company}`}
            </bdi>
          </li>
        ))}
      </ol>
    </section>
  );
}
