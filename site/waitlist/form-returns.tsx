import { FORM_ERRORS } from "#contract/form-errors.ts";
import { JoinedCard } from "./joined-card.tsx";

/** Without JavaScript, a submitted form redirects to one of these fragments; with it, they aren't in the DOM. */
export function FormReturns() {
  return (
    <noscript>
      <div id="joined" className="form-return">
        <JoinedCard />
      </div>
      {Object.entries(FORM_ERRORS).map(([fragment, text]) => (
        <p key={fragment} id={fragment} className="form-return card mb-5 p-6 text-bad">
          {text}
        </p>
      ))}
    </noscript>
  );
}
