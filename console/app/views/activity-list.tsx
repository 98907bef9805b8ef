import { Link } from "#console/app/http/location.tsx";
import type { ActivityEntry } from "#console/contract.ts";
import { formatDateTime } from "#core/format.ts";

export function ActivityList({ entries }: { entries: ActivityEntry[] }) {
  return (
    <ul className="history">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

function Entry({ entry: { at, actor, via, before, person, after } }: { entry: ActivityEntry }) {
  return (
    <li className="deed">
      <p>
        <bdi className="actor">{actor}</bdi> {before}
        {person && (
          <>
            {" "}
            <Link href={`/people/${person.id}`}>
              <bdi>{person.email}</bdi>
            </Link>
          </>
        )}{" "}
        {after}
      </p>
      <p className="quiet">
        <span className="via">{via} · </span>
        <time dateTime={at}>{formatDateTime(new Date(at))}</time>
      </p>
    </li>
  );
}
