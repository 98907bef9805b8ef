const POINTS = [
  { title: "Predictive Threat Intelligence" },
  { title: "Enterprise-Grade Security" },
  { title: "Compliance Ready", text: "GDPR, SOC 2 and HIPAA" },
];

/** Sample values, not a live feed. */
const DASHBOARD = [
  ["Threat level", "LOW"],
  ["Monitors", "24/7"],
  ["Blocked attacks", "1,247"],
  ["System health", "OPTIMAL"],
];

export function About() {
  return (
    <section id="about" className="scroll-mt-20">
      <h2 className="mb-6 text-3xl font-semibold">About</h2>
      <div className="grid gap-8 sm:grid-cols-2">
        <ul className="grid gap-4">
          {POINTS.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              {text && <p className="text-quiet">{text}</p>}
            </li>
          ))}
        </ul>
        <dl className="grid grid-cols-2 gap-4">
          {DASHBOARD.map(([name, value]) => (
            <div key={name}>
              <dt className="text-quiet">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
