import { area, line } from "d3-shape";
import { axes, countScale, PLOT, type Point, timeScale } from "./axes.ts";

/** The line and the area are SVG paths, 100 units wide. */
export function areaChart(points: Point[]) {
  const time = timeScale(points);
  const counts = countScale(points);
  const x = ({ at }: Point) => time(at);
  const y = ({ count }: Point) => counts(count);
  return {
    line: line<Point>(x, y).digits(2)(points) ?? "",
    area: area<Point>(x, PLOT.bottom, y).digits(2)(points) ?? "",
    ...axes(time, counts),
  };
}
