import { Check } from "lucide-react";
import type { Ref } from "react";
import * as content from "#brand/content.ts";

interface JoinedCardProps {
  ref?: Ref<HTMLDivElement>;
  /** The id of an element that screen readers also read when the card takes focus. */
  describedBy?: string | undefined;
}

export function JoinedCard({ ref, describedBy }: JoinedCardProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-labelledby="joined-title"
      aria-describedby={describedBy}
      className="grid content-center justify-items-center gap-4 card joined p-8 text-center outline-none"
    >
      <span className="joined-icon relative mt-9 mb-11 grid size-16 place-items-center rounded-full text-good">
        <Check className="size-8" strokeWidth={1.5} aria-hidden />
      </span>
      <h3 id="joined-title" className="text-2xl font-semibold tracking-tight text-good">
        {content.joinedTitle}
      </h3>
      <p className="max-w-[46ch] leading-relaxed text-text text-pretty">{content.joinedText}</p>
    </div>
  );
}
