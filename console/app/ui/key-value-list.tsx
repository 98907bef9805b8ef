import type { ReactNode } from "react";

interface KeyValueListProps {
  values: Record<string, ReactNode>;
  /** Shown below the values. */
  notes?: Record<string, string>;
  className?: string;
}

/** Isolates each value's text direction, because people may type right-to-left text. */
export function KeyValueList({ values, notes = {}, className = "key-values" }: KeyValueListProps) {
  return (
    <dl className={className}>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
          {notes[name] && <dd className="quiet why">{notes[name]}</dd>}
        </div>
      ))}
    </dl>
  );
}
