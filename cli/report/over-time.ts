import { areaChart } from "#charts/area-chart.ts";
import type { Point } from "#charts/axes.ts";
import { columnChart } from "#charts/column-chart.ts";
import { formatNumber, formatShortDate, formatShortDateTime } from "#core/format.ts";
import { html, type Markup } from "#core/html.ts";
import { areaChartSvg, columnChartSvg } from "./chart-svg.ts";

interface Story {
  title: string;
  /** What is counted, in plural. */
  unit: string;
  /** From when to when, and what else to know. */
  note: string;
  points: Point[];
  /** What to say where there is nothing to draw. */
  nothing: string;
}

/** What a column stands for. */
interface Span {
  ms: number;
  name: (from: Date) => string;
}

export const HOUR: Span = { ms: 3_600_000, name: formatShortDateTime };
export const DAY: Span = { ms: 24 * 3_600_000, name: formatShortDate };

/** How many there were in each hour or day. */
export function counts(story: Story, span: Span, now: Date): Markup {
  const { title, unit, note, points } = story;
  const peak = points.reduce((most, point) => (point.count > most.count ? point : most));
  const said = `Most: ${formatNumber(peak.count)} on ${span.name(peak.at)}`;
  const summary = `${title}. ${note}. ${said}.`;
  const drawn = columnChartSvg(columnChart(points, span.ms, now), { unit, summary }, span.name);
  return html`
    <section class="card">
      <header><h2>${title}</h2><p>${note}</p>${peak.count ? html`<p class="said">${said}</p>` : ""}</header>
      ${peak.count ? withNumbers(drawn, story, span) : nothingIn(story)}
    </section>`;
}

/** How they added up: the points are where it stood at the end of each day, or stands now. */
export function growth(story: Story, news: string, now: Date): Markup {
  const { title, unit, note, points } = story;
  const all = points.at(-1)?.count ?? 0;
  const start = points.slice(0, 1).map(({ at }) => ({ at, count: 0 }));
  const atEnds = points.map(({ at, count }) => ({
    at: new Date(Math.min(at.getTime() + DAY.ms, now.getTime())),
    count,
  }));
  const summary = `${title}. ${note}. ${formatNumber(all)} in all, ${news}.`;
  const drawn = areaChartSvg(areaChart([...start, ...atEnds]), { unit, summary });
  return html`
    <section class="card">
      <header><h2>${title}</h2><p class="headline">${formatNumber(all)}</p><p>${news}</p><p class="said">${note}</p></header>
      ${all ? withNumbers(drawn, story, DAY) : nothingIn(story)}
    </section>`;
}

const nothingIn = ({ nothing }: Story) => html`<p class="nothing">${nothing}</p>`;

/** In the table the newest comes first: that is what one looks up. */
function withNumbers(drawn: Markup, { title, unit, points }: Story, { name }: Span): Markup {
  return html`
      <div class="drawn">${drawn}</div>
      <details>
        <summary>The numbers<span class="unseen"> of ${title}</span></summary>
        <div class="scrolling" tabindex="0" role="region" aria-label="${title}: the numbers">
          <table>
            <caption class="unseen">${title}</caption>
            <thead><tr><th scope="col">UTC</th><th scope="col">${unit}</th></tr></thead>
            <tbody>${points.toReversed().map(
              ({ at, count }) => html`
              <tr><th scope="row">${name(at)}</th><td>${formatNumber(count)}</td></tr>`,
            )}
            </tbody>
          </table>
        </div>
      </details>`;
}
