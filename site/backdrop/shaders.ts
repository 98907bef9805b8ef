import { dark } from "#brand/tokens.ts";

/** The unit of length is the window's height: y runs from 0 to 1, x from 0 to the aspect ratio. */
const GRID_CELLS_PER_UNIT = 10;
const LINE_SPEED = 0.05;
/** Height above the bottom, on a grid line two cells below the center. sighting.css draws the horizon itself. */
const HORIZON = 0.3;
/** Aspect ratio of the widest window that the grid fills. In narrower ones the hidden part costs almost nothing. */
const MAX_ASPECT = 8;

/**
 * A line is a ribbon of triangles whose curve is computed per vertex. In a software renderer at 1280 × 800, that takes
 * 8 ms a frame; computing every line per pixel takes 103 ms.
 */
export const LINE_VERTEX = `
uniform float aspect, time, halfWidth, line;
attribute vec2 point;
varying float side, hue, glow;
void main() {
  float x = point.x * aspect;
  float t = time * ${LINE_SPEED};
  float spread = smoothstep(0.04, 1.0, abs(point.x * 2.0 - 1.0)) * smoothstep(0.0, 1.2, aspect);
  float bend = mix(0.12, -0.26, line) + 0.05 * sin(x * 1.1 - t * 1.3)
    + 0.05 * sin(x * 1.7 + t * 2.0 + line * 1.9)
    + 0.02 * sin(x * 4.1 - t * 3.1 + line * 4.7);
  float y = ${HORIZON} + bend * spread;
  side = point.y;
  hue = line;
  glow = 0.35 + 0.65 * (0.5 + 0.5 * sin(x * 2.3 + line * 9.0 - t * 2.6));
  gl_Position = vec4(point.x * 2.0 - 1.0, (y + point.y * halfWidth) * 2.0 - 1.0, 0, 1);
}`;

/** Has at most 0.32 of the accent color, so that text over it is readable. MAX blending keeps lines from adding up. */
export const LINE_FRAGMENT = `
precision mediump float;
varying float side, hue, glow;
void main() {
  float d = abs(side);
  float light = 0.23 * smoothstep(0.24, 0.0, d) + 0.09 * (1.0 - d) * (1.0 - d);
  gl_FragColor = vec4(mix(vec3(${channels(dark.accent)}), vec3(${channels(dark.accentFar)}), hue) * light * glow, 1);
}`;

export const GRID_VERTEX = `
uniform float aspect, dotSize;
attribute vec2 point;
varying vec2 at;
void main() {
  at = point * 2.0 / vec2(aspect, 1);
  gl_Position = vec4(at, 0, 1);
  gl_PointSize = dotSize;
}`;

/** Fades into the ground color toward the horizon and the sides. */
export const GRID_FRAGMENT = `
precision mediump float;
uniform vec3 color;
varying vec2 at;
void main() {
  float strength = smoothstep(0.0, 0.35, abs(at.y * 0.5 + 0.5 - ${HORIZON})) * (1.0 - 0.4 * at.x * at.x);
  gl_FragColor = vec4(mix(vec3(${channels(dark.ground)}), color, strength), 1);
}`;

export function channels(color: `#${string}`): [red: number, green: number, blue: number] {
  const channel = (start: number) => Number.parseInt(color.slice(start, start + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}

const offsets = (count: number) => Array.from({ length: 2 * count + 1 }, (_, i) => (i - count) / GRID_CELLS_PER_UNIT);
const columns = offsets((MAX_ASPECT * GRID_CELLS_PER_UNIT) / 2);
const rows = offsets(GRID_CELLS_PER_UNIT / 2);

/** Start and end points of the grid lines (x1, y1, x2, y2), relative to the window's center. */
export const gridLines: number[] = [
  ...columns.flatMap((x) => [x, -0.5, x, 0.5]),
  ...rows.flatMap((y) => [-MAX_ASPECT / 2, y, MAX_ASPECT / 2, y]),
];
export const gridDots: number[] = columns.flatMap((x) => rows.flatMap((y) => [x, y]));
