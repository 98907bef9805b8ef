/**
 * Charts as still SVG that fits any width: across they count in percent, so that a wider page moves the columns apart and
 * leaves the letters alone; a viewBox would shrink those on a phone. Downwards they count in pixels.
 */
import { type ScaleLinear, type ScaleTime, scaleLinear, scaleUtc } from "d3-scale";
import { area, line } from "d3-shape";
import { formatCompact, formatNumber, formatTick } from "#core/format.ts";
import { html, type Markup } from "#core/html.ts";

export interface Point {
  at: Date;
  count: number;
}

/** What a column stands for. */
export interface Span {
  ms: number;
  name: (from: Date) => string;
}

interface Labels {
  /** What is counted: it stands over the axis. */
  unit: string;
  /** The chart in one sentence, for those who don't see it. */
  gist: string;
}

const TOP = 32;
const BOTTOM = 200;
const HEIGHT = 228;

/** One column for each point; one whose span isn't over yet is pale. */
export function columns(points: Point[], labels: Labels, span: Span, now: Date): Markup {
  const [first, last] = ends(points);
  // Half a span more on both sides: a point's place is the middle of its column.
  const across = scaleUtc([first.getTime() - span.ms / 2, last.getTime() + span.ms / 2], [0, 100]);
  const up = countScale(points);
  const width = 72 / points.length;
  const column = ({ at, count }: Point) => html`
        <rect x="${place(across(at) - width / 2)}%" y="${place(up(count))}" width="${place(width)}%" height="${place(BOTTOM - up(count))}"${
          at.getTime() + span.ms > now.getTime() ? html` class="running"` : ""
        }><title>${span.name(at)}: ${formatNumber(count)}</title></rect>`;
  return chart(labels, across, up, html`<g class="columns">${points.filter(({ count }) => count > 0).map(column)}</g>`);
}

/** A line through all points, and the ground under it. */
export function curve(points: Point[], labels: Labels): Markup {
  const across = scaleUtc(ends(points), [0, 100]);
  const up = countScale(points);
  const x = ({ at }: Point) => across(at);
  const y = ({ count }: Point) => up(count);
  const ground = area<Point>(x, BOTTOM, y).digits(2)(points) ?? "";
  const edge = line<Point>(x, y).digits(2)(points) ?? "";
  return chart(
    labels,
    across,
    up,
    html`
    <svg class="curve" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none" width="100%" height="${HEIGHT}">
      <linearGradient id="edge"><stop class="near"/><stop class="far" offset="1"/></linearGradient>
      <linearGradient id="ground" x2="0" y2="1"><stop class="over"/><stop class="under" offset="1"/></linearGradient>
      <path d="${ground}" fill="url(#ground)"/>
      <path d="${edge}" stroke="url(#edge)" class="edge"/>
    </svg>`,
  );
}

function chart(
  { unit, gist }: Labels,
  across: ScaleTime<number, number>,
  up: ScaleLinear<number, number>,
  shapes: Markup,
): Markup {
  return html`
    <svg class="chart" role="img" aria-label="${gist}" width="100%" height="${HEIGHT}">
      <text class="unit" y="12">${unit}</text>
      ${up
        .ticks(4)
        .filter(Number.isInteger)
        .map(
          (count) => html`
      <line x2="100%" y1="${place(up(count))}" y2="${place(up(count))}"/>
      <text class="count" y="${place(up(count))}">${formatCompact(count)}</text>`,
        )}
      ${shapes}
      ${timeTicks(across)}
    </svg>`;
}

/** How many labels there is room for; where there is less, charts.css hides those that don't stay. */
const MOST_LABELS = { narrow: 4, medium: 8, wide: 13 };

function timeTicks(across: ScaleTime<number, number>): Markup[] {
  const ticks = across.ticks(10);
  // Counted from midnight, so that it is the day's name that stays when the hours go.
  const midnight = ticks.findIndex(isMidnight);
  const stays = (index: number, room: keyof typeof MOST_LABELS) =>
    (index - midnight) % 2 ** Math.max(0, Math.ceil(Math.log2(ticks.length / MOST_LABELS[room]))) === 0;
  return ticks.map((at, index) => {
    if (!stays(index, "wide")) return html``;
    const room = stays(index, "narrow") ? "" : stays(index, "medium") ? "medium" : "wide";
    // In the middle of the last column it would stick out of the chart.
    const isAtEdge = across(at) > 97;
    return html`
      <text class="time ${room} ${isAtEdge ? "at-edge" : ""}" x="${isAtEdge ? 100 : place(across(at))}%" y="${BOTTOM + 20}">${formatTick(at)}</text>`;
  });
}

function countScale(points: Point[]): ScaleLinear<number, number> {
  return scaleLinear([0, Math.max(...points.map(({ count }) => count))], [BOTTOM, TOP]).nice(4);
}

function ends(points: Point[]): [Date, Date] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) throw new Error("A chart needs points");
  return [first.at, last.at];
}

const isMidnight = (at: Date) => at.getTime() % (24 * 3_600_000) === 0;
const place = (value: number) => Math.round(value * 100) / 100;
