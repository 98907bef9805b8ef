import type { ReactNode } from "react";
import { formatNumber } from "#core/format.ts";
import { areaChart } from "./area-chart.ts";
import { type Axes, PLOT, type Point } from "./axes.ts";
import { barWidth } from "./bar.ts";
import { columnChart } from "./column-chart.ts";

interface ChartProps {
  points: Point[];
  /** For screen readers. */
  summary: string;
}

interface ColumnChartProps extends ChartProps {
  spanMs: number;
  now: Date;
  formatStart: (at: Date) => string;
}

export function ColumnChart({ points, summary, spanMs, now, formatStart }: ColumnChartProps) {
  const { columns, ...axes } = columnChart(points, spanMs, now);
  return (
    <Chart axes={axes} summary={summary}>
      <g className="columns">
        {columns.map(({ at, count, x, y, width, height, isPartial }) => (
          <rect
            key={at.getTime()}
            x={`${x}%`}
            y={y}
            width={`${width}%`}
            height={height}
            className={isPartial ? "partial" : undefined}
          >
            <title>{`${formatStart(at)}: ${formatNumber(count)}`}</title>
          </rect>
        ))}
      </g>
    </Chart>
  );
}

export function AreaChart({ points, summary }: ChartProps) {
  const { line, area, ...axes } = areaChart(points);
  return (
    <Chart axes={axes} summary={summary}>
      <svg
        className="area"
        viewBox={`0 0 100 ${PLOT.height}`}
        preserveAspectRatio="none"
        width="100%"
        height={PLOT.height}
        aria-hidden="true"
      >
        <linearGradient id="line-gradient">
          <stop />
          <stop className="line-end" offset="1" />
        </linearGradient>
        <linearGradient id="fill-gradient" x2="0" y2="1">
          <stop className="fill-top" />
          <stop className="fill-bottom" offset="1" />
        </linearGradient>
        <path d={area} fill="url(#fill-gradient)" />
        <path d={line} stroke="url(#line-gradient)" className="line" />
      </svg>
    </Chart>
  );
}

function Chart({ axes, summary, children }: { axes: Axes; summary: string; children: ReactNode }) {
  return (
    <div className="plot">
      <svg className="chart" role="img" aria-label={summary} width="100%" height={PLOT.height}>
        <text className="unit" y="12">
          people
        </text>
        {axes.countTicks.map(({ y, label }) => (
          <g key={label}>
            <line x2="100%" y1={y} y2={y} />
            <text className="count" y={y}>
              {label}
            </text>
          </g>
        ))}
        {children}
        {axes.timeTicks.map(({ x, label, minWidth, anchor }) => (
          <text
            key={x}
            className={`time ${minWidth === "narrow" ? "" : minWidth} ${anchor === "end" ? "at-edge" : ""}`}
            x={`${x}%`}
            y={PLOT.bottom + 20}
          >
            {label}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** Hidden from screen readers, which read the number next to it. */
export function Bar({ value, max }: { value: number; max: number }) {
  return (
    <svg className="bar" aria-hidden="true" width="100%" height="4">
      <rect width="100%" height="4" rx="2" />
      <rect width={`${barWidth(value, max)}%`} height="4" rx="2" />
    </svg>
  );
}
