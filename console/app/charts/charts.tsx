import { type PointerEvent, useState } from "react";
import { areaChart } from "./area-chart.ts";
import { PLOT, type Point } from "./axes.ts";

interface ChartProps {
  points: Point[];
  /** Read by screen readers, followed by the peak. */
  summary: string;
  describe: (point: Point) => string;
}

/** A line with a ring around its peak. The tooltip starts at the peak and then follows the pointer. */
export function AreaChart({ points, summary, describe }: ChartProps) {
  const { line, partial, area, before, places, peak, timeTicks, countTicks } = areaChart(points);
  const [hovered, setHovered] = useState<number>();
  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.round(((clientX - left) / width) * (points.length - 1));
    setHovered(Math.max(0, Math.min(index, points.length - 1)));
  };
  const shown = hovered !== undefined && hovered < points.length ? hovered : peak;
  const [found, most, here, point] = [places[peak], points[peak], places[shown], points[shown]];
  if (!found || !most || !here || !point) return null;
  return (
    <div className="plot" onPointerLeave={() => setHovered(undefined)}>
      <svg
        className="chart"
        role="img"
        aria-label={`${summary} Most: ${describe(most)}.`}
        width="100%"
        height={PLOT.height}
        onPointerMove={follow}
        onPointerDown={follow}
      >
        {/* Receives pointer events where nothing is drawn. */}
        <rect width="100%" height={PLOT.height} fill="transparent" />
        {countTicks.map(({ y, label }) => (
          <g key={label}>
            <line x2="100%" y1={y} y2={y} />
            <text className="count" y={y}>
              {label}
            </text>
          </g>
        ))}
        <svg viewBox={`0 0 100 ${PLOT.height}`} preserveAspectRatio="none" aria-hidden="true">
          <linearGradient id="fill-gradient" x2="0" y2="1">
            <stop stopOpacity="0.22" />
            <stop offset="1" stopOpacity="0" />
          </linearGradient>
          <path d={area ?? ""} fill="url(#fill-gradient)" />
          <path d={before ?? ""} className="before" />
          <path d={partial ?? ""} className="partial" />
          <path d={line ?? ""} className="line" />
        </svg>
        <line className="here" x1={`${here.x}%`} x2={`${here.x}%`} y1={PLOT.top - 16} y2={here.y} />
        <circle cx={`${here.x}%`} cy={here.y} r="3" />
        <circle cx={`${found.x}%`} cy={found.y} r="3" />
        <circle className="ring" cx={`${found.x}%`} cy={found.y} r="10" />
        {timeTicks.map(({ x, label }) => (
          <text key={x} textAnchor="middle" x={`${x}%`} y={PLOT.bottom + 20}>
            {label}
          </text>
        ))}
      </svg>
      {/* Shifts the tooltip left by its position in percent, to keep it inside the chart. */}
      <p className="tooltip" aria-hidden style={{ left: `${here.x}%`, translate: `-${here.x}%` }}>
        {describe(point)}
      </p>
    </div>
  );
}

/** Hidden from screen readers, because they read the number next to it. */
export function Bar({ value, max }: { value: number; max: number }) {
  return (
    <svg className="bar" aria-hidden="true" width="100%" height="4">
      <rect width="100%" height="4" rx="2" />
      <rect width={`${max && (value / max) * 100}%`} height="4" rx="2" />
    </svg>
  );
}
