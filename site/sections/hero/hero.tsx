import * as content from "#brand/content.ts";
import { ButtonLink } from "#site/ui/button.tsx";

const PILLS = 5;

export function Hero() {
  return (
    <section aria-labelledby="headline" className="hero relative flex flex-col overflow-clip">
      {/* Decoration, positioned in hero.css. */}
      <div className="pills pointer-events-none absolute inset-0" aria-hidden="true">
        {Array.from({ length: PILLS }, (_, i) => (
          <div key={i} className="pill absolute">
            <div className="size-full">
              <div className="relative size-full" />
            </div>
          </div>
        ))}
      </div>
      <div className="page hero-content relative grid content-center justify-items-center text-center">
        <p className="hero-item badge inline-flex items-center gap-2.5 rounded-full border border-line bg-surface px-4 py-1.5 text-[0.875rem] text-quiet">
          <span className="badge-dot" aria-hidden="true" />
          {content.badge}
        </p>
        <h1 id="headline" className="hero-item text-display font-semibold">
          <span className="headline-part">{content.headline[0]}</span>{" "}
          <span className="headline-part accent-text">{content.headline[1]}</span>
        </h1>
        <p className="hero-item max-w-[27.85em] text-lg leading-relaxed text-quiet text-balance">
          {content.tagline.split(/(\S+-\S+)/).map(keepOnOneLine)}
        </p>
        <div className="hero-item flex flex-wrap justify-center gap-3">
          <ButtonLink look="primary" href="#waitlist">
            {content.join}
          </ButtonLink>
          <ButtonLink look="quiet" href="#features">
            {content.learnMore}
          </ButtonLink>
        </div>
      </div>
      <p className="scroll-hint justify-items-center text-[0.75rem] text-quiet">
        {content.scrollHint}
        <span className="scroll-hint-track relative w-px overflow-clip bg-line" aria-hidden="true">
          <span className="scroll-hint-light absolute inset-0" />
        </span>
      </p>
    </section>
  );
}

/** Every second part is a hyphenated word, which must not wrap. */
function keepOnOneLine(words: string, i: number) {
  return i % 2 ? (
    <span key={words} className="whitespace-nowrap">
      {words}
    </span>
  ) : (
    words
  );
}
