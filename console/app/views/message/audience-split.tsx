import type { Split } from "#console/contract/messages.ts";
import { formatNumber } from "#core/format.ts";

/** Who gets it and who doesn't, and why. */
export function AudienceSplit({ split: { matching, recipients, refused } }: { split: Split }) {
  return (
    <dl className="split">
      <div>
        <dt>Get the email</dt>
        <dd>
          <strong>{formatNumber(recipients)}</strong>
        </dd>
      </div>
      <div>
        <dt>Don't get it</dt>
        <dd>{formatNumber(matching - recipients)}</dd>
      </div>
      {refused.map(({ reason, people }) => (
        <div key={reason} className="reason">
          <dt>{reason}</dt>
          <dd>{formatNumber(people)}</dd>
        </div>
      ))}
    </dl>
  );
}
