import { type AnyCanvas, createPicture } from "./lines.ts";
import { advance, FIRST_STEP, isEnough, keptFrames, LADDER, nextStep, type Quality } from "./quality.ts";

/** Sent whenever the window changes. */
export interface Scene {
  /** In CSS pixels. */
  width: number;
  height: number;
  pixelRatio: number;
  /** A still picture is drawn once, and again when the window changes. */
  state: "moving" | "still" | "hidden";
}

export interface Renderer {
  show(scene: Scene): void;
  stop(): void;
}

export interface RendererEvents {
  onQuality(quality: Quality): void;
  onFailed(reason: string): void;
}

const MEASURE_EVERY_MS = 100;
/** A time at which the lines look good, for visitors with reduced motion, who see only this frame. */
const FIRST_TIME = 20;

/** Draws at a quality the machine can afford. Runs in a worker, or on the main thread without OffscreenCanvas. */
export function createRenderer(canvas: AnyCanvas, { onQuality, onFailed }: RendererEvents): Renderer {
  const { gl, draw } = createPicture(canvas);
  let scene: Scene | undefined;
  let step = FIRST_STEP;
  const quality = () => LADDER[step] as Quality;
  let highest = 0;
  let samples: number[] = [];
  let intervals: number[] = [];
  let time = FIRST_TIME;
  let frame = 0;
  let stopped = false;

  function fail(reason: string): void {
    if (stopped) return;
    stop();
    onFailed(reason);
  }

  function stop(): void {
    stopped = true;
    cancelAnimationFrame(frame);
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  function drawAt({ width, height, pixelRatio, state }: Scene): void {
    // A still frame is drawn once, so it can be sharp on any machine.
    const ratio = pixelRatio * (state === "still" ? 1 : quality().scale);
    const pixels = (css: number) => Math.max(1, Math.round(css * ratio));
    draw({ width: pixels(width), height: pixels(height), pixelRatio: ratio }, time);
  }

  /**
   * Returns how long the frame really takes to draw. Reading a pixel waits for the drawing; `gl.finish()` returns too
   * early, and a fence is reported only when the next frame is due.
   */
  function measure(target: Scene): number {
    const started = performance.now();
    drawAt(target);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now() - started;
  }

  function drawAndAdapt(target: Scene): void {
    samples.push(measure(target));
    const stats = { ms: Math.min(...samples), kept: keptFrames(intervals) };
    if (!isEnough(samples.length, step, stats, highest)) return;
    const next = nextStep(step, stats, highest);
    resetStats();
    if (next === step) return;
    if (next === undefined) {
      fail("Drawing is too slow on this machine");
      return;
    }
    if (next > step) highest = next;
    step = next;
    onQuality(quality());
  }

  function resetStats(): void {
    samples = [];
    intervals = [];
  }

  function run(): void {
    cancelAnimationFrame(frame);
    resetStats();
    if (!scene || stopped || scene.state === "hidden") return;
    drawAt(scene);
    if (scene.state === "moving") loop(scene);
  }

  function loop(target: Scene): void {
    let lastDrawn = performance.now();
    let lastMeasured = lastDrawn;
    let lastFrame = lastDrawn;
    const tick = (now: number): void => {
      frame = requestAnimationFrame(tick);
      intervals.push(now - lastFrame);
      lastFrame = now;
      // A tolerance of 2 ms, because displays never run at exactly their nominal rate.
      if (now - lastDrawn < 1000 / quality().fps - 2) return;
      time = advance(time, Math.min(0.1, Math.max(0, now - lastDrawn) / 1000));
      lastDrawn = now;
      if (now - lastMeasured < MEASURE_EVERY_MS) {
        drawAt(target);
      } else {
        lastMeasured = now;
        drawAndAdapt(target);
      }
    };
    frame = requestAnimationFrame(tick);
  }

  canvas.addEventListener("webglcontextlost", () => fail("The WebGL context was lost"));

  onQuality(quality());
  return {
    show(next) {
      scene = next;
      run();
    },
    stop,
  };
}
