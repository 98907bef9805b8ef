import type { ReactNode } from "react";

interface KeyValueListProps {
  values: Record<string, ReactNode>;
  className?: string;
}

/** Isolates each value's text direction, because people may type right-to-left text. */
export function KeyValueList({ values, className = "key-values" }: KeyValueListProps) {
  return (
    <dl className={className}>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
