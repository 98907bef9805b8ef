import { brand } from "#brand/brand.ts";
import { ButtonLink } from "#site/ui/button.tsx";

const PILLS = 5;

export function Hero() {
  return (
    <section aria-labelledby="headline" className="hero">
      {/* Decoration, positioned in hero.css. */}
      <div className="pills" aria-hidden="true">
        {Array.from({ length: PILLS }, (_, i) => (
          <div key={i} className="pill">
            <div>
              <div />
            </div>
          </div>
        ))}
      </div>
      <div className="page hero-content">
        <p className="hero-item badge inline-flex items-center gap-2.5 rounded-full border border-line bg-surface px-4 py-1.5 text-[0.875rem] text-quiet">
          <span className="badge-dot" aria-hidden="true" />
          Advanced Cybersecurity Solutions
        </p>
        <h1 id="headline" className="hero-item text-display font-semibold">
          <span className="headline-part">Secure Your</span>{" "}
          <span className="headline-part accent-text">Digital Future</span>
        </h1>
        <p className="hero-item max-w-[27.85em] text-lg leading-relaxed text-quiet text-balance">
          {brand.tagline.split(/(\S+-\S+)/).map(keepOnOneLine)}
        </p>
        <div className="hero-item flex flex-wrap justify-center gap-3">
          <ButtonLink look="primary" href="#waitlist">
            Join the Waitlist
          </ButtonLink>
          <ButtonLink look="quiet" href="#features">
            Learn More
          </ButtonLink>
        </div>
      </div>
      <p className="scroll-hint">
        Scroll
        <span className="scroll-hint-track" aria-hidden="true">
          <span className="scroll-hint-light" />
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
