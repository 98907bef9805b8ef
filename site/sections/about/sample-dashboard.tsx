/** Sample values, labeled as such: they illustrate the product and aren't live. */
const VALUES = [
  { name: "Threat level", value: "LOW", tone: "text-good" },
  { name: "Monitors", value: "24/7", tone: "text-text" },
  { name: "Blocked attacks", value: "1,247", tone: "text-text" },
  { name: "System health", value: "OPTIMAL", tone: "text-good" },
];

const EVENTS = [
  { time: "02:14", text: "Sign-in from a new country", outcome: "blocked" },
  { time: "09:41", text: "Unknown process on a file server", outcome: "stopped" },
  { time: "16:30", text: "Traffic to a domain one hour old", outcome: "blocked" },
];

export function SampleDashboard() {
  return (
    <figure className="card dashboard">
      <figcaption className="dashboard-bar">
        <span className="flex items-center gap-2.5 font-medium">
          <span className="size-2 flex-none rounded-full bg-good" aria-hidden="true" />
          Security overview
        </span>
        <span className="rounded-full border border-line px-2.5 py-0.5 text-xs text-quiet">Sample data</span>
      </figcaption>
      <dl className="dashboard-values">
        {VALUES.map(({ name, value, tone }) => (
          <div key={name}>
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className={`text-2xl font-medium tracking-tight tabular-nums ${tone}`}>{value}</dd>
          </div>
        ))}
      </dl>
      <Day />
      <ul className="dashboard-events">
        {EVENTS.map(({ time, text, outcome }) => (
          <li key={time}>
            <span className="text-quiet">{time}</span> <span>{text}</span> <span className="text-good">{outcome}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Attempts per half hour over a day, in percent of the peak. */
const ATTEMPTS = [
  22, 18, 24, 30, 46, 28, 20, 16, 14, 18, 16, 22, 20, 26, 30, 34, 42, 50, 62, 54, 44, 40, 46, 42, 36, 40, 38, 44, 48,
  42, 52, 64, 82, 100, 74, 58, 46, 40, 44, 36, 32, 34, 28, 30, 24, 26, 20, 18,
];
const PEAK = ATTEMPTS.indexOf(100);
const bar = (height: number, i: number) => `M${i * 10} 100v${-height}`;

/** Decoration. The ring is outside the SVG, because the SVG is stretched to the panel. */
function Day() {
  return (
    <div className="dashboard-day" aria-hidden="true">
      <div className="dashboard-plot">
        <svg viewBox="0 0 480 100" preserveAspectRatio="none" fill="none" aria-hidden="true">
          <path d="M0 1h480M0 50h480M0 99h480" className="dashboard-hairline" />
          <path d={ATTEMPTS.map(bar).join("")} className="dashboard-bars" />
          <path d={bar(100, PEAK)} className="dashboard-peak" />
        </svg>
        <span className="ringed-dot dashboard-ring" />
      </div>
      <p className="dashboard-hours">
        {["00:00", "06:00", "12:00", "18:00", "24:00"].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </p>
    </div>
  );
}
