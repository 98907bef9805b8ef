import { axes, countScale, PLOT, type Point, round, timeScale } from "./axes.ts";

/** Share of the width that columns fill; the rest is gaps. */
const FILLED_PERCENT = 72;

/** One column per nonzero point. A point's timestamp is the start of an hour or day, whose length is `spanMs`. */
export function columnChart(points: Point[], spanMs: number, now: Date) {
  const time = timeScale(points, spanMs / 2);
  const counts = countScale(points);
  const width = FILLED_PERCENT / points.length;
  const columns = points
    .filter(({ count }) => count > 0)
    .map(({ at, count }) => ({
      at,
      count,
      x: round(time(at) - width / 2),
      y: round(counts(count)),
      width: round(width),
      height: round(PLOT.bottom - counts(count)),
      /** Its hour or day isn't over yet. */
      isPartial: at.getTime() + spanMs > now.getTime(),
    }));
  return { columns, ...axes(time, counts) };
}
