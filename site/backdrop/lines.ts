import { dark } from "#brand/tokens.ts";
import { channels, GRID_FRAGMENT, GRID_VERTEX, gridDots, gridLines, LINE_FRAGMENT, LINE_VERTEX } from "./shaders.ts";

const LINES = 12;
const SEGMENTS = 96;
const LINE_WIDTH_PX = 9;
const DOT_PX = 2;
const GROUND = channels(dark.ground);
const GRID = channels(dark.grid);
const GRID_DOT = channels(dark.gridDot);

export type AnyCanvas = HTMLCanvasElement | OffscreenCanvas;

/**
 * Draws moving lines over a faint grid of dots. Uses WebGL 1, because some drivers support nothing newer. Throws if
 * WebGL or MAX blending is missing, or if a shader fails to compile or link.
 */
export function createPicture(canvas: AnyCanvas) {
  const gl = canvas.getContext("webgl", {
    alpha: false,
    antialias: false,
    depth: false,
    powerPreference: "low-power",
  }) as WebGLRenderingContext | null;
  const blending = gl?.getExtension("EXT_blend_minmax");
  if (!gl || !blending) throw new Error("WebGL is not supported");

  const line = createProgram(gl, LINE_VERTEX, LINE_FRAGMENT);
  const grid = createProgram(gl, GRID_VERTEX, GRID_FRAGMENT);
  const ribbon = Array.from({ length: SEGMENTS + 1 }, (_, i) => [i / SEGMENTS, -1, i / SEGMENTS, 1]).flat();
  const drawPoints = setPoints(gl, { ribbon, gridLines, gridDots });

  const gridUniforms = locate(gl, grid, ["aspect", "dotSize", "color"]);
  const uniforms = locate(gl, line, ["aspect", "time", "halfWidth", "line"]);

  return {
    gl,
    /** Draws one frame into a canvas of the given size; `pixelRatio` is canvas pixels per CSS pixel. */
    draw({ width, height, pixelRatio }: { width: number; height: number; pixelRatio: number }, time: number): void {
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const aspect = width / height;
      gl.viewport(0, 0, width, height);
      gl.clearColor(...GROUND, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.enable(gl.BLEND);
      gl.blendEquation(blending.MAX_EXT);

      gl.useProgram(grid);
      gl.uniform1f(gridUniforms.aspect, aspect);
      gl.uniform1f(gridUniforms.dotSize, DOT_PX * pixelRatio);
      gl.uniform3fv(gridUniforms.color, GRID);
      drawPoints(gl.LINES, "gridLines");
      gl.uniform3fv(gridUniforms.color, GRID_DOT);
      drawPoints(gl.POINTS, "gridDots");

      gl.useProgram(line);
      gl.uniform1f(uniforms.aspect, aspect);
      gl.uniform1f(uniforms.time, time);
      gl.uniform1f(uniforms.halfWidth, (LINE_WIDTH_PX * pixelRatio) / height);
      for (let i = 0; i < LINES; i += 1) {
        gl.uniform1f(uniforms.line, i / (LINES - 1));
        drawPoints(gl.TRIANGLE_STRIP, "ribbon");
      }
    },
  };
}

/** Both programs read their points from the same buffer. */
const POINT_LOCATION = 0;

function createProgram(gl: WebGLRenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error("WebGL can't create a shader");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, POINT_LOCATION, "point");
  gl.linkProgram(program);
  // A shader that didn't compile can't link either, so one check covers both.
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(`Shader: ${gl.getProgramInfoLog(program)}`);
  return program;
}

function locate<Name extends string>(gl: WebGLRenderingContext, program: WebGLProgram, uniforms: Name[]) {
  const locations = uniforms.map((name) => [name, gl.getUniformLocation(program, name)]);
  return Object.fromEntries(locations) as Record<Name, WebGLUniformLocation | null>;
}

/** Uploads all points in one buffer, and returns a function that draws the points with a given name. */
function setPoints<Name extends string>(gl: WebGLRenderingContext, points: Record<Name, number[]>) {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(Object.values<number[]>(points).flat()), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(POINT_LOCATION);
  gl.vertexAttribPointer(POINT_LOCATION, 2, gl.FLOAT, false, 0, 0);
  const ranges = new Map<string, [first: number, count: number]>();
  let first = 0;
  for (const [name, values] of Object.entries<number[]>(points)) {
    ranges.set(name, [first, values.length / 2]);
    first += values.length / 2;
  }
  return (mode: GLenum, name: Name) => gl.drawArrays(mode, ...(ranges.get(name) ?? [0, 0]));
}
