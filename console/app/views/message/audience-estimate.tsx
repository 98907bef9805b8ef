import { countText } from "#console/app/views/count-text.ts";
import type { SplitEstimate } from "#console/contract/messages.ts";
import { pluralize } from "#core/format.ts";

type AudienceEstimateProps = SplitEstimate["estimate"] & {
  /** How many people an invitation is for. */
  limit: number;
};

/** About how many people get it, until it is reviewed. */
export function AudienceEstimate({ matching, recipients, limit }: AudienceEstimateProps) {
  const about = (people: number) => countText({ people, isEstimate: true });
  return (
    <>
      <dl className="split">
        <div>
          <dt>Get the email</dt>
          <dd>
            <strong>{limit <= recipients ? `Up to ${pluralize(limit, "person", "people")}` : about(recipients)}</strong>
          </dd>
        </div>
        <div>
          <dt>Match the filters</dt>
          <dd>{about(matching)}</dd>
        </div>
      </dl>
      <p className="quiet">Estimated, because the list is long. “Review and send…” counts exactly.</p>
    </>
  );
}
