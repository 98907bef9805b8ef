import { brand } from "#brand/brand.ts";
import { SectionHeading } from "#site/ui/section-heading.tsx";
import { Analytics, Cloud, Detection, Monitoring, Support, ZeroTrust } from "./drawings.tsx";
import { useReveal } from "./use-reveal.ts";

const FEATURES = [
  {
    title: "AI-Powered Threat Detection",
    text: "Models learn what normal looks like on your network, so the one connection that doesn’t belong stands out.",
    Drawing: Detection,
  },
  {
    title: "Real-Time Monitoring",
    text: "Sign-ins, processes and traffic, watched as they happen. You hear about the ones that matter.",
    Drawing: Monitoring,
  },
  {
    title: "Zero-Trust Architecture",
    text: "Being inside earns no trust. Every request proves who it is, at every door, every time.",
    Drawing: ZeroTrust,
  },
  {
    title: "Advanced Analytics",
    text: "See where an attack began, what it touched and where it was headed: one timeline instead of ten logs.",
    Drawing: Analytics,
  },
  {
    title: "Cloud Security",
    text: "One set of rules for every cloud you use, checked against what is actually running there.",
    Drawing: Cloud,
  },
  {
    title: "Expert Support",
    text: "When it matters, you talk to an analyst who already has your case open, not to a queue.",
    Drawing: Support,
  },
];

export function Features() {
  const list = useReveal();
  return (
    <section id="features" className="page grid gap-14 py-section">
      <SectionHeading title="See it coming. Be ready.">
        {`Most breaches leave traces long before they do harm. ${brand.name} is built to notice them early and tell you plainly what to do.`}
      </SectionHeading>
      <ul ref={list} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map(({ title, text, Drawing }) => (
          <li key={title} className="feature card grid grid-rows-[auto_1fr] gap-6 p-6">
            <Drawing />
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
