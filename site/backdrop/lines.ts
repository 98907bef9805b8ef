import { dark } from "#brand/tokens.ts";
import { channels, GRID_FRAGMENT, GRID_VERTEX, gridLines, LINE_FRAGMENT, LINE_VERTEX, LINES } from "./shaders.ts";

const SEGMENTS = 96;
const LINE_WIDTH_PX = 9;

export type AnyCanvas = HTMLCanvasElement | OffscreenCanvas;

export interface Picture {
  gl: WebGL2RenderingContext;
  /** Draws one frame into a canvas of the given size; `pixelRatio` is canvas pixels per CSS pixel. */
  draw(size: { width: number; height: number; pixelRatio: number }, time: number): void;
}

/** Moving lines over a faint grid. Throws if WebGL 2 is missing or a shader fails to compile or link. */
export function createPicture(canvas: AnyCanvas): Picture {
  const gl = canvas.getContext("webgl2", {
    alpha: false,
    antialias: false,
    depth: false,
    powerPreference: "low-power",
  }) as WebGL2RenderingContext | null;
  if (!gl) throw new Error("WebGL 2 is not supported");

  const line = createProgram(gl, LINE_VERTEX, LINE_FRAGMENT);
  const grid = createProgram(gl, GRID_VERTEX, GRID_FRAGMENT);
  const ribbon = Array.from({ length: SEGMENTS + 1 }, (_, i) => [i / SEGMENTS, -1, i / SEGMENTS, 1]).flat();
  const ribbonShape = createShape(gl, line, "point", 2, ribbon);
  const gridShape = createShape(gl, grid, "end", 1, [-1, 1]);
  const uniform = (program: WebGLProgram, name: string) => gl.getUniformLocation(program, name);
  const uniforms = {
    line: { aspect: uniform(line, "aspect"), time: uniform(line, "time"), halfWidth: uniform(line, "halfWidth") },
    grid: { aspect: uniform(grid, "aspect"), vertical: uniform(grid, "vertical") },
  };

  return {
    gl,
    draw({ width, height, pixelRatio }, time) {
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const aspect = width / height;
      gl.viewport(0, 0, width, height);
      gl.clearColor(...channels(dark.ground), 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.enable(gl.BLEND);
      gl.blendEquation(gl.MAX);

      const { vertical, horizontal } = gridLines(aspect);
      gl.useProgram(grid);
      gl.bindVertexArray(gridShape);
      gl.uniform1f(uniforms.grid.aspect, aspect);
      gl.uniform1i(uniforms.grid.vertical, vertical);
      gl.drawArraysInstanced(gl.LINES, 0, 2, vertical + horizontal);

      gl.useProgram(line);
      gl.bindVertexArray(ribbonShape);
      gl.uniform1f(uniforms.line.aspect, aspect);
      gl.uniform1f(uniforms.line.time, time);
      gl.uniform1f(uniforms.line.halfWidth, (LINE_WIDTH_PX * pixelRatio) / height);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, ribbon.length / 2, LINES);
    },
  };
}

function createProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
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
  gl.linkProgram(program);
  // A shader that didn't compile can't link either, so one check covers both.
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(`Shader: ${gl.getProgramInfoLog(program)}`);
  return program;
}

function createShape(gl: WebGL2RenderingContext, program: WebGLProgram, name: string, size: number, points: number[]) {
  const shape = gl.createVertexArray();
  gl.bindVertexArray(shape);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points), gl.STATIC_DRAW);
  const location = gl.getAttribLocation(program, name);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
  return shape;
}
