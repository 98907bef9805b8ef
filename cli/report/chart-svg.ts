/** Renders the shapes from charts/ as static SVG, styled by charts/chart.css. */
import type { AreaChart } from "#charts/area-chart.ts";
import { type Axes, PLOT } from "#charts/axes.ts";
import { barWidth } from "#charts/bar.ts";
import type { ColumnChart } from "#charts/column-chart.ts";
import { formatNumber } from "#core/format.ts";
import { html, type Markup } from "#core/html.ts";

interface Labels {
  /** What is counted; shown above the axis. */
  unit: string;
  /** For screen readers. */
  summary: string;
}

export function columnChartSvg(chart: ColumnChart, labels: Labels, formatStart: (at: Date) => string): Markup {
  const columns = chart.columns.map(
    ({ at, count, x, y, width, height, isPartial }) => html`
        <rect x="${x}%" y="${y}" width="${width}%" height="${height}"${
          isPartial ? html` class="partial"` : ""
        }><title>${formatStart(at)}: ${formatNumber(count)}</title></rect>`,
  );
  return chartSvg(chart, labels, html`<g class="columns">${columns}</g>`);
}

export function areaChartSvg(chart: AreaChart, labels: Labels): Markup {
  return chartSvg(
    chart,
    labels,
    html`
    <svg class="area" viewBox="0 0 100 ${PLOT.height}" preserveAspectRatio="none" width="100%" height="${PLOT.height}">
      <linearGradient id="line-gradient"><stop class="line-start"/><stop class="line-end" offset="1"/></linearGradient>
      <linearGradient id="fill-gradient" x2="0" y2="1"><stop class="fill-top"/><stop class="fill-bottom" offset="1"/></linearGradient>
      <path d="${chart.area}" fill="url(#fill-gradient)"/>
      <path d="${chart.line}" stroke="url(#line-gradient)" class="line"/>
    </svg>`,
  );
}

/** Hidden from screen readers, which read the number next to it. */
export function barSvg(value: number, max: number): Markup {
  return html`<svg class="bar" aria-hidden="true" width="100%" height="4"><rect width="100%" height="4" rx="2"/><rect width="${barWidth(value, max)}%" height="4" rx="2"/></svg>`;
}

function chartSvg({ timeTicks, countTicks }: Axes, { unit, summary }: Labels, shapes: Markup): Markup {
  return html`
    <svg class="chart" role="img" aria-label="${summary}" width="100%" height="${PLOT.height}">
      <text class="unit" y="12">${unit}</text>
      ${countTicks.map(
        ({ y, label }) => html`
      <line x2="100%" y1="${y}" y2="${y}"/>
      <text class="count" y="${y}">${label}</text>`,
      )}
      ${shapes}
      ${timeTicks.map(
        ({ x, label, minWidth, anchor }) => html`
      <text class="time ${minWidth === "narrow" ? "" : minWidth} ${anchor === "end" ? "at-edge" : ""}" x="${x}%" y="${PLOT.bottom + 20}">${label}</text>`,
      )}
    </svg>`;
}
