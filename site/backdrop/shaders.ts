import { dark } from "#brand/tokens.ts";

/** Space is measured in units of the window's height; x runs from 0 to its width in them, y from 0 to 1. */
const GRID_CELLS_PER_UNIT = 10;
const LINE_SPEED = 0.05;
export const LINES = 12;

/**
 * A line is a ribbon of triangles whose curve is computed for each vertex, not for each pixel: in a software renderer at
 * 1280 × 800 a frame costs 8 ms so, and 103 ms when every pixel computes every line.
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

/** Never brighter than 0.4 of the accent, so that text on it keeps its contrast (lines blend by MAX and don't add up). */
export const LINE_FRAGMENT = `#version 300 es
precision mediump float;
in float side, hue, glow;
out vec4 colour;
void main() {
  float d = abs(side);
  float light = 0.30 * smoothstep(0.24, 0.0, d) + 0.10 * (1.0 - d) * (1.0 - d);
  colour = vec4(mix(vec3(${channels(dark.accent)}), vec3(${channels(dark.accentFar)}), hue) * light * glow, 1);
}`;

/** One line for each instance: first those that stand, then those that lie. Both are counted from the middle. */
export const GRID_VERTEX = `#version 300 es
uniform float aspect;
uniform int standing;
in float end;
out vec2 at;
void main() {
  bool stands = gl_InstanceID < standing;
  int n = stands ? gl_InstanceID - standing / 2 : gl_InstanceID - standing - ${GRID_CELLS_PER_UNIT / 2};
  float offset = float(n) / ${GRID_CELLS_PER_UNIT}.0 * 2.0;
  at = stands ? vec2(offset / aspect, end) : vec2(end, offset);
  gl_Position = vec4(at, 0, 1);
}`;

export const GRID_FRAGMENT = `#version 300 es
precision mediump float;
in vec2 at;
out vec4 colour;
void main() {
  colour = vec4(vec3(${channels(dark.grid)}) * (1.0 - 0.2 * dot(at, at)), 1);
}`;

/** A hexadecimal color as WebGL has it: red, green and blue, each from 0 to 1. */
export function channels(color: `#${string}`): [red: number, green: number, blue: number] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return [red, green, blue];
}

/** How many grid lines a window of this shape shows: an odd number of standing ones, and the lying ones. */
export function gridLines(aspect: number): { standing: number; lying: number } {
  return { standing: 2 * Math.ceil((aspect * GRID_CELLS_PER_UNIT) / 2) + 1, lying: GRID_CELLS_PER_UNIT + 1 };
}
