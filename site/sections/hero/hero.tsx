import { brand } from "#brand/brand.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { Pills } from "./pills.tsx";

export function Hero() {
  return (
    <section aria-labelledby="headline" className="relative grid min-h-svh overflow-clip ">
      <Pills />
      <div className="page relative grid content-center justify-items-center gap-6 pt-40 pb-32 md:pt-28 text-center">
        <p className="hero-item inline-flex items-center gap-2.5 rounded-full border border-line bg-surface px-4 py-1.5 text-sm text-quiet">
          <span className="size-2 rounded-full bg-good" aria-hidden="true" />
          Advanced Cybersecurity Solutions
        </p>
        <h1 id="headline" className="hero-item text-display font-semibold">
          <span className="block">Secure Your</span>{" "}
          <span className="accent-text block pb-[0.1em]">Digital Future</span>
        </h1>
        <p className="hero-item max-w-[60ch] text-lg leading-relaxed text-quiet text-pretty">{brand.tagline}</p>
        <div className="hero-item flex flex-wrap justify-center gap-3">
          <ButtonLink look="primary" href="#waitlist">
            Join the Waitlist
          </ButtonLink>
          <ButtonLink look="quiet" href="#features">
            Learn More
          </ButtonLink>
        </div>
      </div>
      <ScrollHint />
      <div className="pointer-events-none absolute inset-x-0 bottom-0 h-40 bg-linear-to-b from-transparent to-ground" />
    </section>
  );
}

function ScrollHint() {
  return (
    <p className="scroll-hint absolute inset-x-0 bottom-6 z-10 grid justify-items-center gap-2 text-xs text-quiet">
      Scroll
      <span className="relative h-8 w-px overflow-clip bg-line" aria-hidden="true">
        <span className="scroll-hint-light absolute inset-0 bg-linear-to-b from-transparent to-accent-far" />
      </span>
    </p>
  );
}
