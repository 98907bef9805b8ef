import type { Quality } from "./quality.ts";
import { createRenderer, type Renderer, type Scene } from "./renderer.ts";

export type ToWorker = { canvas: OffscreenCanvas } | { scene: Scene };
export type FromWorker = { loaded: true } | { quality: Quality } | { failed: string };

let renderer: Renderer | undefined;
const send = (message: FromWorker) => postMessage(message);
send({ loaded: true });

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if ("scene" in data) return renderer?.show(data.scene);
  try {
    renderer = createRenderer(data.canvas, {
      onQuality: (quality) => send({ quality }),
      onFailed: (failed) => send({ failed }),
    });
  } catch (reason) {
    send({ failed: String(reason) });
  }
});
