import type { ReactNode } from "react";

interface KeyValueListProps {
  values: Record<string, ReactNode>;
  className?: string;
  children?: ReactNode;
}

/** Each value is isolated, because people type what they like, in any direction. */
export function KeyValueList({ values, className = "key-values", children }: KeyValueListProps) {
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
      {children}
    </dl>
  );
}
