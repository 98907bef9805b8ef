import { FORM_RETURNS } from "#contract/form-return.ts";
import { JoinedCard } from "./joined-card.tsx";

/** For visitors without JavaScript: a form they have sent leads back to one of these. Nobody else's page has them. */
export function FormReturns() {
  return (
    <noscript>
      <div id="joined" className="form-return">
        <JoinedCard />
      </div>
      {Object.entries(FORM_RETURNS).map(([fragment, text]) => (
        <p key={fragment} id={fragment} className="form-return card mb-5 p-6 text-bad">
          {text}
        </p>
      ))}
    </noscript>
  );
}
