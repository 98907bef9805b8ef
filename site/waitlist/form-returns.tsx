import { useEffect, useState } from "react";
import { FORM_ERRORS } from "#contract/form-errors.ts";
import { JoinedCard } from "./joined-card.tsx";
import { TOO_SOON } from "./page-age.ts";

const ERROR = "form-return card mb-5 p-6 text-bad";

/**
 * Results of a form submitted without JavaScript, before hydration, or after a script failed to load. The form is
 * redirected to a fragment, and CSS shows the card with that id. Hydration replaces the cards with toasts.
 */
export function FormReturns() {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  if (isHydrated) return;
  return (
    <>
      <div id="joined" className="form-return">
        <JoinedCard />
      </div>
      {Object.entries(FORM_ERRORS).map(([fragment, text]) => (
        <p key={fragment} id={fragment} className={ERROR}>
          {text}
        </p>
      ))}
      <p id={TOO_SOON.id} role="alert" className={ERROR}>
        {TOO_SOON.text}
      </p>
    </>
  );
}
