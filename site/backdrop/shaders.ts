import { dark } from "#brand/tokens.ts";

/** The unit of length is the window's height: y runs from 0 to 1, x from 0 to the aspect ratio. */
const GRID_CELLS_PER_UNIT = 10;
const LINE_SPEED = 0.05;
export const LINES = 12;

/**
 * A line is a ribbon of triangles whose curve is computed per vertex, not per pixel: in a software renderer at
 * 1280 × 800 a frame takes 8 ms this way, and 103 ms when every pixel computes every line.
 */
export const LINE_VERTEX = `#version 300 es
uniform float aspect, time, halfWidth;
in vec2 point;
out float side, hue, glow;
void main() {
  float i = float(gl_InstanceID) / ${LINES - 1}.0;
  float x = point.x * aspect;
  float t = time * ${LINE_SPEED};
  float y = 0.5 + (i - 0.5) * (0.34 + 0.26 * sin(x * 1.1 - t * 1.3))
    + 0.15 * sin(x * 1.7 + t * 2.0 + i * 1.9)
    + 0.05 * sin(x * 4.1 - t * 3.1 + i * 4.7);
  side = point.y;
  hue = i;
  glow = 0.35 + 0.65 * (0.5 + 0.5 * sin(x * 2.3 + i * 9.0 - t * 2.6));
  gl_Position = vec4(point.x * 2.0 - 1.0, (y + point.y * halfWidth) * 2.0 - 1.0, 0, 1);
}`;

/** Never brighter than 0.4 of the accent, to keep text on it readable (lines blend with MAX and don't add up). */
export const LINE_FRAGMENT = `#version 300 es
precision mediump float;
in float side, hue, glow;
out vec4 color;
void main() {
  float d = abs(side);
  float light = 0.30 * smoothstep(0.24, 0.0, d) + 0.10 * (1.0 - d) * (1.0 - d);
  color = vec4(mix(vec3(${channels(dark.accent)}), vec3(${channels(dark.accentFar)}), hue) * light * glow, 1);
}`;

/** One instance per line, vertical ones first, then horizontal ones, both counted from the center. */
export const GRID_VERTEX = `#version 300 es
uniform float aspect;
uniform int vertical;
in float end;
out vec2 at;
void main() {
  bool isVertical = gl_InstanceID < vertical;
  int n = isVertical ? gl_InstanceID - vertical / 2 : gl_InstanceID - vertical - ${GRID_CELLS_PER_UNIT / 2};
  float offset = float(n) / ${GRID_CELLS_PER_UNIT}.0 * 2.0;
  at = isVertical ? vec2(offset / aspect, end) : vec2(end, offset);
  gl_Position = vec4(at, 0, 1);
}`;

export const GRID_FRAGMENT = `#version 300 es
precision mediump float;
in vec2 at;
out vec4 color;
void main() {
  color = vec4(vec3(${channels(dark.grid)}) * (1.0 - 0.2 * dot(at, at)), 1);
}`;

/** A hexadecimal color as WebGL expects it: red, green and blue from 0 to 1. */
export function channels(color: `#${string}`): [red: number, green: number, blue: number] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (start) => Number.parseInt(color.slice(start, start + 2), 16) / 255,
  );
  return [red, green, blue];
}

/** How many grid lines cover a window of this shape; the number of vertical ones is odd. */
export function gridLines(aspect: number): { vertical: number; horizontal: number } {
  return { vertical: 2 * Math.ceil((aspect * GRID_CELLS_PER_UNIT) / 2) + 1, horizontal: GRID_CELLS_PER_UNIT + 1 };
}
