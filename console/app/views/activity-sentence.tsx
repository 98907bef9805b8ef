import type { ReactNode } from "react";
import { Link } from "#console/app/http/location.tsx";
import type { ActivityEntry } from "#console/contract.ts";

interface SentenceProps {
  entry: ActivityEntry;
  /** Shown instead of the link to the person. */
  them?: ReactNode;
}

const PATHS = { person: "/people/", message: "/messages/", wave: "/people?wave=" };

export function Sentence({ entry: { actor, phrases }, them }: SentenceProps) {
  return (
    <p>
      <bdi className="actor">{actor}</bdi>{" "}
      {phrases.map((phrase) => {
        if (!phrase.name) return phrase.text;
        if (phrase.name === "person" && them) return them;
        return (
          <Link key={phrase.name} href={`${PATHS[phrase.name]}${phrase.id}`}>
            <bdi>{phrase.text}</bdi>
          </Link>
        );
      })}
    </p>
  );
}
