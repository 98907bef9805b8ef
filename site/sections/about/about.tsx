import { SectionHeading } from "#site/ui/section-heading.tsx";
import { SampleDashboard } from "./sample-dashboard.tsx";

const POINTS = {
  "Predictive Threat Intelligence":
    "We track the tools and servers attackers set up, so you can close a path before anyone takes it.",
  "Enterprise-Grade Security":
    "Encryption in transit and at rest, least privilege and a full audit trail, for a team of five or five thousand.",
  "Compliance Ready":
    "Evidence for GDPR, SOC 2 and HIPAA is collected as you work. An audit becomes a report, not a project.",
};

export function About() {
  return (
    <section id="about" className="page grid grid-cols-1 gap-x-16 gap-y-14 py-section lg:grid-cols-2">
      <div className="grid gap-10">
        <SectionHeading title="On watch for businesses of any size" />
        <ul className="grid gap-7">
          {Object.entries(POINTS).map(([title, text]) => (
            <li key={title} className="grid gap-1.5 border-l border-line-strong pl-5">
              <h3 className="text-lg font-medium tracking-tight">{title}</h3>
              <p className="max-w-prose leading-relaxed text-quiet text-pretty">{text}</p>
            </li>
          ))}
        </ul>
      </div>
      <SampleDashboard />
    </section>
  );
}
