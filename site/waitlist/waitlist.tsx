import { useEffect, useRef, useState } from "react";
import * as content from "#brand/content.ts";
import { SectionHeading } from "#site/ui/section-heading.tsx";
import { whenIdle } from "#site/ui/when-idle.ts";
import { FormReturns } from "./form-returns.tsx";
import { JoinedCard } from "./joined-card.tsx";
import { SignUpForm } from "./sign-up-form.tsx";
import { StatsRow } from "./stats-row.tsx";
import { useJoin } from "./use-join.ts";

export function Waitlist() {
  const joining = useJoin();
  const slot = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLDivElement>(null);
  // A separate chunk, because nobody needs it before typing. If it can't load, the form and the card work without it.
  const [help, setHelp] = useState<typeof import("./email-help/email-help.tsx")>();
  useEffect(() => whenIdle(() => import("./email-help/email-help.tsx").then(setHelp, () => {})), []);

  // Scrolls so that the toast, at the top of a phone's screen and at the bottom of others, doesn't cover the card.
  useEffect(() => {
    if (joining.state !== "joined") return;
    card.current?.focus({ preventScroll: true });
    if (innerWidth < 640) card.current?.scrollIntoView();
    else showEnd();
  }, [joining.state]);

  function showEnd() {
    slot.current?.lastElementChild?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }

  /** Keeps the form's height, because the shorter card that replaces it would shift the layout. */
  function holdHeight() {
    if (slot.current) slot.current.style.minHeight = `${slot.current.getBoundingClientRect().height}px`;
  }

  return (
    <section id="waitlist" className="page grid grid-cols-1 items-start gap-x-16 gap-y-12 py-section lg:grid-cols-2">
      {/* On wide screens, the stats align with the form's lower edge. */}
      <div className="grid gap-10 lg:grid-rows-[auto_1fr_auto] lg:self-stretch">
        <SectionHeading title={content.waitlistTitle}>{content.waitlistText}</SectionHeading>
        <div className="newest relative hidden lg:block" aria-hidden="true">
          <span className="ringed-dot" />
        </div>
        <StatsRow atLeast={joining.totals} />
      </div>
      <div ref={slot} className="grid grid-cols-1 form-slot">
        {joining.state === "joined" ? (
          <>
            <JoinedCard ref={card} describedBy={joining.mailedTo && "confirm-note"} />
            {help && joining.mailedTo && <help.ConfirmNote email={joining.mailedTo} />}
          </>
        ) : (
          <>
            {joining.state === "loading" && <FormReturns />}
            <SignUpForm
              state={joining.state}
              refused={joining.refused}
              hint={help && <help.SpellingHint />}
              onValid={(signUp, submittedAt) => {
                holdHeight();
                showEnd();
                joining.join(signUp, submittedAt);
              }}
            />
          </>
        )}
      </div>
    </section>
  );
}
