import { areaChart } from "#charts/area-chart.ts";
import type { Point } from "#charts/axes.ts";
import { columnChart } from "#charts/column-chart.ts";
import { formatNumber, formatShortDate, formatShortDateTime } from "#core/format.ts";
import { html, type Markup } from "#core/html.ts";
import { areaChartSvg, columnChartSvg } from "./chart-svg.ts";

interface ChartCard {
  title: string;
  /** What is counted, in the plural. */
  unit: string;
  /** The time range and anything else worth knowing. */
  note: string;
  points: Point[];
  /** Shown instead of an empty chart. */
  emptyText: string;
}

/** The length of one column. */
interface Interval {
  ms: number;
  format: (start: Date) => string;
}

export const HOUR: Interval = { ms: 3_600_000, format: formatShortDateTime };
export const DAY: Interval = { ms: 24 * 3_600_000, format: formatShortDate };

/** Counts per hour or day. */
export function columnChartCard(card: ChartCard, interval: Interval, now: Date): Markup {
  const { title, unit, note, points } = card;
  const highest = points.reduce((max, point) => (point.count > max.count ? point : max));
  const peak = `Peak: ${formatNumber(highest.count)} on ${interval.format(highest.at)}`;
  const summary = `${title}. ${note}. ${peak}.`;
  const chart = columnChartSvg(columnChart(points, interval.ms, now), { unit, summary }, interval.format);
  return html`
    <section class="card">
      <header><h2>${title}</h2><p>${note}</p>${highest.count ? html`<p class="aside">${peak}</p>` : ""}</header>
      ${highest.count ? withDataTable(chart, card, interval) : emptyState(card)}
    </section>`;
}

/** Cumulative totals: each point is the total at the end of its day, or now. */
export function totalChartCard(card: ChartCard, recent: string, now: Date): Markup {
  const { title, unit, note, points } = card;
  const total = points.at(-1)?.count ?? 0;
  const start = points.slice(0, 1).map(({ at }) => ({ at, count: 0 }));
  const dayEnds = points.map(({ at, count }) => ({
    at: new Date(Math.min(at.getTime() + DAY.ms, now.getTime())),
    count,
  }));
  const summary = `${title}. ${note}. ${formatNumber(total)} in total, ${recent}.`;
  const chart = areaChartSvg(areaChart([...start, ...dayEnds]), { unit, summary });
  return html`
    <section class="card">
      <header><h2>${title}</h2><p class="headline">${formatNumber(total)}</p><p>${recent}</p><p class="aside">${note}</p></header>
      ${total ? withDataTable(chart, card, DAY) : emptyState(card)}
    </section>`;
}

const emptyState = ({ emptyText }: ChartCard) => html`<p class="empty">${emptyText}</p>`;

/** Newest rows first, because those are looked up most. */
function withDataTable(chart: Markup, { title, unit, points }: ChartCard, { format }: Interval): Markup {
  return html`
      <div class="plot">${chart}</div>
      <details>
        <summary>Data table<span class="visually-hidden"> for ${title}</span></summary>
        <div class="scroll" tabindex="0" role="region" aria-label="${title}: data table">
          <table>
            <caption class="visually-hidden">${title}</caption>
            <thead><tr><th scope="col">UTC</th><th scope="col">${unit}</th></tr></thead>
            <tbody>${points.toReversed().map(
              ({ at, count }) => html`
              <tr><th scope="row">${format(at)}</th><td>${formatNumber(count)}</td></tr>`,
            )}
            </tbody>
          </table>
        </div>
      </details>`;
}
