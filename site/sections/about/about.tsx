import * as content from "#brand/content.ts";
import { SectionHeading } from "#site/ui/section-heading.tsx";
import { SampleDashboard } from "./sample-dashboard.tsx";

export function About() {
  return (
    <section id="about" className="page grid grid-cols-1 gap-x-16 gap-y-14 py-section lg:grid-cols-2">
      <div className="grid gap-10">
        <SectionHeading title={content.aboutTitle} />
        <ul className="grid gap-7">
          {Object.entries(content.aboutPoints).map(([title, text]) => (
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
