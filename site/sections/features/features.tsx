import { brand } from "#brand/brand.ts";
import * as content from "#brand/content.ts";
import { SectionHeading } from "#site/ui/section-heading.tsx";
import { Analytics, Cloud, Detection, Monitoring, Support, ZeroTrust } from "./drawings.tsx";
import { useReveal } from "./use-reveal.ts";

/** In the order of content.features. */
const DRAWINGS = [Detection, Monitoring, ZeroTrust, Analytics, Cloud, Support];

export function Features() {
  const list = useReveal();
  return (
    <section id="features" className="page grid gap-14 py-section">
      <SectionHeading title={content.featuresTitle}>
        {content.featuresText.replace("{name}", brand.name)}
      </SectionHeading>
      <ul ref={list} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {Object.entries(content.features).map(([title, text], i) => (
          <li key={title} className="feature card grid grid-rows-[auto_1fr] gap-6 p-6">
            {DRAWINGS[i]?.()}
            <div className="grid content-start gap-2">
              <h3 className="text-lg font-medium tracking-tight">{title}</h3>
              <p className="leading-relaxed text-quiet text-pretty">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
