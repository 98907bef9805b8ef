import type { ReactNode } from "react";
import { Link } from "#console/app/http/location.tsx";
import type { ActivityEntry } from "#console/contract.ts";

interface SentenceProps {
  entry: ActivityEntry;
  /** Shown instead of the link to the person. */
  them?: ReactNode;
}

/** Describes an operator's action. */
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

/** Links a mention of a message or wave. */
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
