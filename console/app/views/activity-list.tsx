import type { ReactNode } from "react";
import { Link } from "#console/app/http/location.tsx";
import type { ActivityEntry } from "#console/contract.ts";

interface ActivityListProps {
  entries: ActivityEntry[];
  formatTime: (at: Date) => string;
  /** What stands for the person in an entry about one; by default a link to them. */
  them?: ReactNode;
}

export function ActivityList({ entries, formatTime, them }: ActivityListProps) {
  return (
    <ul className="history">
      {entries.map(({ id, at, actor, via, before, person, after }) => (
        <li key={id} className="entry">
          <p>
            <bdi className="actor">{actor}</bdi> <Linked text={before} />
            {person && <> {them ?? <PersonLink person={person} />}</>} <Linked text={after} />
          </p>
          <p className="quiet">
            {via} · <time dateTime={at}>{formatTime(new Date(at))}</time>
          </p>
        </li>
      ))}
    </ul>
  );
}

function PersonLink({ person: { id, email } }: { person: { id: string; email: string } }) {
  return (
    <Link href={`/people/${id}`}>
      <bdi>{email}</bdi>
    </Link>
  );
}

/** Mentions of a message or wave link to it. */
function Linked({ text }: { text: string }) {
  const [, start, name, id, end] = /^(.*?)\b(message|wave) (\d+)(.*)$/.exec(text) ?? [];
  if (!id) return text;
  return (
    <>
      {start}
      <Link href={name === "message" ? `/messages/${id}` : `/people?wave=${id}`}>{`${name} ${id}`}</Link>
      <Linked text={end ?? ""} />
    </>
  );
}
