import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import type { Split } from "#console/contract/messages.ts";
import { formatNumber } from "#core/format.ts";

export function AudienceSplit({ split: { matching, recipients, refused } }: { split: Split }) {
  const values = {
    "Get the email": <strong>{formatNumber(recipients)}</strong>,
    "Don't get it": formatNumber(matching - recipients),
  };
  return (
    <KeyValueList className="split" values={values}>
      {refused.map(({ reason, people }) => (
        <div key={reason} className="reason">
          <dt>{reason}</dt>
          <dd>{formatNumber(people)}</dd>
        </div>
      ))}
    </KeyValueList>
  );
}
