import * as content from "#brand/content.ts";

/** Sample values, labeled as such: they illustrate the product and aren't live. */
export function SampleDashboard() {
  return (
    // As tall as the text beside it; the chart fills the remaining height.
    <figure className="card @container flex flex-col overflow-clip">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3.5 text-sm leading-normal">
        <span className="flex items-center gap-2.5 font-medium">
          <span className="size-2 flex-none rounded-full bg-good" aria-hidden="true" />
          {content.dashboardTitle}
        </span>
        <span className="rounded-full border border-line px-2.5 py-0.5 text-xs text-quiet">
          {content.dashboardLabel}
        </span>
      </figcaption>
      {/* Four, two or one tile per row, never three and one. The grid clips the outer hairlines. */}
      <dl className="grid grid-cols-2 overflow-clip border-b border-line @min-[40rem]:grid-cols-4 @max-[16rem]:grid-cols-1">
        {content.dashboardValues.map(({ name, value, isGood }) => (
          <div
            key={name}
            className="grid gap-1.5 px-5 py-4.5 [box-shadow:1px_0_var(--color-line),0_1px_var(--color-line)]"
          >
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className={`text-2xl font-medium tracking-tight tabular-nums ${isGood ? "text-good" : "text-text"}`}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <Day />
      <ul className="border-t border-line px-5 py-3 text-sm/[1.9] tabular-nums">
        {content.dashboardEvents.map(({ time, text, outcome }) => (
          <li key={time} className="grid grid-cols-[4em_minmax(0,1fr)_auto] @max-[16rem]:block">
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
    <div className="flex flex-1 flex-col px-5 pt-7 pb-3" aria-hidden="true">
      <div className="relative min-h-26 flex-1 [&_path]:[vector-effect:non-scaling-stroke]">
        <svg
          viewBox="0 0 480 100"
          preserveAspectRatio="none"
          className="absolute size-full overflow-visible fill-none"
          aria-hidden="true"
        >
          <path d="M0 1h480M0 50h480M0 99h480" className="stroke-line" />
          <path d={ATTEMPTS.map(bar).join("")} className="stroke-stroke stroke-2" />
          <path d={bar(100, PEAK)} className="stroke-accent-far stroke-2" />
        </svg>
        {/* On top of the 16:30 bar. */}
        <span className="ringed-dot -top-[11px] left-[calc(100%*33/48-11px)] [--dot:3px] [--size:22px]" />
      </div>
      <p className="flex justify-between pt-2 text-nowrap text-[clamp(0.6rem,3.2vw,0.75rem)] text-quiet tabular-nums">
        {["00:00", "06:00", "12:00", "18:00", "24:00"].map((hour) => (
          // Centered on its hour, except at the ends.
          <span key={hour} className="flex w-0 justify-center first:justify-start last:justify-end">
            {hour}
          </span>
        ))}
      </p>
    </div>
  );
}
