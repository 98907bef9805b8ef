import type { ReactNode } from "react";
import { Link } from "#console/app/http/location.tsx";
import type { ActivityEntry } from "#console/contract.ts";

interface SentenceProps {
  entry: ActivityEntry;
  /** What stands for the person in an entry about one; by default a link to them. */
  them?: ReactNode;
}

/** What an operator did. */
export function Sentence({ entry: { actor, before, person, after }, them }: SentenceProps) {
  return (
    <p>
      <bdi className="actor">{actor}</bdi> <Linked text={before} />
      {person && <> {them ?? <PersonLink person={person} />}</>} <Linked text={after} />
    </p>
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
