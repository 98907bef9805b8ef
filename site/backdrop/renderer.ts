import { type AnyCanvas, createPicture } from "./lines.ts";
import { advance, FIRST_STEP, keptFrames, LADDER, nextStep, type Pace } from "./pace.ts";

/** What the window wants of the picture. */
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

export interface Reports {
  /** The step of the ladder that it draws at from now on. */
  onPace(pace: Pace): void;
  onFailed(reason: string): void;
}

/** A frame in a while is measured, and the quickest of a few is what a frame costs: the rest of the page is noise. */
const MEASURE_EVERY_MS = 250;
const SAMPLES = 6;
/** Where the lines stand well, for those who see only one frame. */
const FIRST_TIME = 20;

/** Draws the picture at a pace the machine can afford. Runs in a worker, or in the page where there is none. */
export function createRenderer(canvas: AnyCanvas, { onPace, onFailed }: Reports): Renderer {
  const { gl, draw } = createPicture(canvas);
  let scene: Scene | undefined;
  let step = FIRST_STEP;
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

  function pace(): Pace {
    const current = LADDER[step];
    if (!current) throw new RangeError(`The ladder has no step ${step}`);
    return current;
  }

  function drawAt({ width, height, pixelRatio }: Scene): void {
    const ratio = pixelRatio * pace().scale;
    const pixels = (css: number) => Math.max(1, Math.round(css * ratio));
    draw({ width: pixels(width), height: pixels(height), pixelRatio: ratio }, time);
  }

  /**
   * What a frame costs until it is really drawn. Reading a pixel back waits for that; `gl.finish()` returns too early,
   * and a fence is heard of only when the next frame is due.
   */
  function measure(of: Scene): number {
    const started = performance.now();
    drawAt(of);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now() - started;
  }

  function drawAndLearn(of: Scene): void {
    if (samples.push(measure(of)) < SAMPLES) return;
    const next = nextStep(step, { ms: Math.min(...samples), kept: keptFrames(intervals) }, highest);
    observeAnew();
    if (next === step) return;
    if (next === undefined) {
      fail("Drawing takes more than this machine has to spare");
      return;
    }
    if (next > step) highest = next;
    step = next;
    onPace(pace());
  }

  function observeAnew(): void {
    samples = [];
    intervals = [];
  }

  function run(): void {
    cancelAnimationFrame(frame);
    observeAnew();
    if (!scene || stopped || scene.state === "hidden") return;
    drawAt(scene);
    if (scene.state === "moving") loop(scene);
  }

  function loop(of: Scene): void {
    let drawn = performance.now();
    let measured = drawn;
    let offered = drawn;
    const tick = (now: number): void => {
      frame = requestAnimationFrame(tick);
      intervals.push(now - offered);
      offered = now;
      // Two milliseconds of grace: a display's own rate is never quite what its name says.
      if (now - drawn < 1000 / pace().fps - 2) return;
      time = advance(time, Math.min(0.1, Math.max(0, now - drawn) / 1000));
      drawn = now;
      if (now - measured < MEASURE_EVERY_MS) {
        drawAt(of);
      } else {
        measured = now;
        drawAndLearn(of);
      }
    };
    frame = requestAnimationFrame(tick);
  }

  canvas.addEventListener("webglcontextlost", () => fail("The WebGL context was lost"));

  onPace(pace());
  return {
    show(next) {
      scene = next;
      run();
    },
    stop,
  };
}
