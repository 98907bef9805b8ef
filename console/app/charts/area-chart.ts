import { area, line } from "d3-shape";
import { countScale, countTicks, PLOT, type Point, round, timeScale, timeTicks } from "./axes.ts";

/** Computes the SVG paths of the line, its area and the previous period, 100 units wide. */
export function areaChart(points: Point[]) {
  const time = timeScale(points);
  const counts = countScale(points);
  const x = ({ at }: Point) => time(at);
  const y = ({ count }: Point) => counts(count);
  const draw = line<Point>(x, y).digits(2);
  const drawBefore = line<Point>(x, ({ before }) => counts(before)).digits(2);
  const most = Math.max(...points.map(({ count }) => count));
  return {
    line: draw(points.slice(0, -1)),
    /** The line to the current interval, which is incomplete. */
    partial: draw(points.slice(-2)),
    area: area<Point>(x, PLOT.bottom, y).digits(2)(points),
    before: points.some(({ before }) => before > 0) ? drawBefore(points) : null,
    places: points.map((point) => ({ x: round(x(point)), y: round(y(point)) })),
    peak: points.findIndex(({ count }) => count === most),
    timeTicks: timeTicks(time),
    countTicks: countTicks(counts),
  };
}
