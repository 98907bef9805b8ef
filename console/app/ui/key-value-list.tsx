import type { ReactNode } from "react";

/** Each value is isolated, because people type what they like, in any direction. */
export function KeyValueList({ values, children }: { values: Record<string, string>; children?: ReactNode }) {
  return (
    <dl className="key-values">
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
