/** Fixed values, labeled as sample data: this is what the product shows, not a live feed. */
const VALUES = [
  { name: "Threat level", value: "LOW", tone: "text-good" },
  { name: "Monitors", value: "24/7", tone: "text-text" },
  { name: "Blocked attacks", value: "1,247", tone: "text-text" },
  { name: "System health", value: "OPTIMAL", tone: "text-good" },
];

export function SampleDashboard() {
  return (
    <figure className="card overflow-clip">
      <figcaption className="flex items-center justify-between gap-4 border-b border-line px-5 py-3.5 text-sm">
        <span className="flex items-center gap-2.5 font-medium">
          <span className="size-2 rounded-full bg-good" aria-hidden="true" />
          Security overview
        </span>
        <span className="rounded-full border border-line px-2.5 py-0.5 text-xs text-quiet">Sample data</span>
      </figcaption>
      <dl className="grid grid-cols-2 gap-px bg-line">
        {VALUES.map(({ name, value, tone }) => (
          <div key={name} className="grid gap-1.5 bg-raised p-5">
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className={`text-2xl font-medium tracking-tight tabular-nums ${tone}`}>{value}</dd>
          </div>
        ))}
      </dl>
      <Trend />
    </figure>
  );
}

/** Decoration: a quiet week with one busy afternoon. */
function Trend() {
  const curve =
    "M0 74C22 70 34 62 52 64s30 14 50 10 26-30 44-30 24 34 42 30 30-52 48-52 28 50 48 48 32-22 52-20 40 14 64 10";
  return (
    <svg
      viewBox="0 0 400 96"
      preserveAspectRatio="none"
      className="block h-32 w-full border-t border-line"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id="trend" x1="0" x2="0" y1="0" y2="1">
          <stop stopColor="var(--color-accent)" stopOpacity="0.28" />
          <stop offset="1" stopColor="var(--color-accent)" stopOpacity="0" />
        </linearGradient>
      </defs>
      <path d={`${curve}V96H0Z`} fill="url(#trend)" />
      <path d={curve} fill="none" stroke="var(--color-accent)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
