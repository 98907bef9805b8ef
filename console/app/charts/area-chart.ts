import { area, line } from "d3-shape";
import { type Axes, axes, countScale, PLOT, type Point, timeScale } from "./axes.ts";

/** The line and the area are SVG paths, 100 units wide. */
export interface AreaChart extends Axes {
  line: string;
  area: string;
}

export function areaChart(points: Point[]): AreaChart {
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
