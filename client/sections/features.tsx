const FEATURES = [
  "AI-Powered Threat Detection",
  "Real-Time Monitoring",
  "Zero-Trust Architecture",
  "Advanced Analytics",
  "Cloud Security",
  "Expert Support",
];

export function Features() {
  return (
    <section id="features" className="scroll-mt-20">
      <h2 className="mb-6 text-3xl font-semibold">Features</h2>
      <ul className="grid gap-4 sm:grid-cols-2">
        {FEATURES.map((title) => (
          <li key={title}>
            <h3>{title}</h3>
          </li>
        ))}
      </ul>
    </section>
  );
}
