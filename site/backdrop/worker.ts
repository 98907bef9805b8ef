import type { Pace } from "./pace.ts";
import { createRenderer, type Renderer, type Scene } from "./renderer.ts";

/** What the page tells the worker, and what it hears back. */
export type ToWorker = { canvas: OffscreenCanvas } | { scene: Scene };
export type FromWorker = { pace: Pace } | { failed: string };

let renderer: Renderer | undefined;
const say = (message: FromWorker) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if ("scene" in data) return renderer?.show(data.scene);
  try {
    renderer = createRenderer(data.canvas, {
      onPace: (pace) => say({ pace }),
      onFailed: (failed) => say({ failed }),
    });
  } catch (reason) {
    say({ failed: String(reason) });
  }
});
