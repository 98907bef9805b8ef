import type { ReactNode } from "react";

/** Names with their values. Each value is isolated, because people type what they like, in any direction. */
export function Facts({ facts, children }: { facts: Record<string, string>; children?: ReactNode }) {
  return (
    <dl className="facts">
      {Object.entries(facts).map(([name, value]) => (
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
