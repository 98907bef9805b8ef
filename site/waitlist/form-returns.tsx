import { FORM_ERRORS } from "#contract/form-errors.ts";
import { JoinedCard } from "./joined-card.tsx";

/**
 * Results of a form submitted without JavaScript, before hydration, or after a script failed to load. The form is
 * redirected to a fragment, and CSS shows the card with that id. Hydration replaces the cards with toasts.
 */
export function FormReturns() {
  return (
    <>
      <div id="joined" className="form-return">
        <JoinedCard />
      </div>
      {Object.entries(FORM_ERRORS).map(([fragment, text]) => (
        <p key={fragment} id={fragment} className="form-return card mb-5 p-6 text-bad">
          {text}
        </p>
      ))}
    </>
  );
}
