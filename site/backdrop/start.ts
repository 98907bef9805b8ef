import type { Motion } from "#site/ui/motion.ts";
import type { Renderer, RendererEvents, Scene } from "./renderer.ts";
import type { FromWorker, ToWorker } from "./worker.ts";
import workerUrl from "./worker.ts?worker&url";

/** A higher ratio costs a lot and looks hardly better. */
const MAX_PIXEL_RATIO = 2;

/** `onLoaded` is called when all scripts have loaded, before WebGL starts. */
type Events = RendererEvents & { onLoaded(): void };

/** Draws lines until the returned function is called. Rejects if it can't start; later failures go to `onFailed`. */
export async function startLines(
  parent: HTMLElement,
  motion: Motion,
  on: Omit<Events, "onQuality">,
): Promise<() => void> {
  const canvas = document.createElement("canvas");
  canvas.className = "backdrop-canvas";
  const events: Events = {
    ...on,
    onQuality: ({ scale, fps }) => {
      parent.dataset.quality = `${scale} at ${fps}`;
    },
  };
  const renderer =
    "OffscreenCanvas" in window && "transferControlToOffscreen" in canvas
      ? await rendererInWorker(canvas.transferControlToOffscreen(), events)
      : await rendererInPage(canvas, events);
  parent.append(canvas);

  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  function show(): void {
    renderer.show({
      width: innerWidth,
      height: innerHeight,
      pixelRatio: Math.min(devicePixelRatio, MAX_PIXEL_RATIO),
      state: document.hidden ? "hidden" : reducedMotion.matches || motion.current() === "paused" ? "still" : "moving",
    });
  }

  show();
  addEventListener("resize", show);
  document.addEventListener("visibilitychange", show);
  reducedMotion.addEventListener("change", show);
  const unsubscribe = motion.subscribe(show);

  return () => {
    removeEventListener("resize", show);
    document.removeEventListener("visibilitychange", show);
    reducedMotion.removeEventListener("change", show);
    unsubscribe();
    renderer.stop();
    canvas.remove();
  };
}

/** Loaded as a separate chunk, because few browsers need it. */
async function rendererInPage(canvas: HTMLCanvasElement, events: Events): Promise<Renderer> {
  const { createRenderer } = await import("./renderer.ts");
  events.onLoaded();
  return createRenderer(canvas, events);
}

/**
 * Runs the same renderer in a worker, so that slow drawing never blocks the page. The worker also tests for WebGL,
 * because creating a context can block the main thread for half a second.
 */
async function rendererInWorker(canvas: OffscreenCanvas, { onLoaded, onQuality, onFailed }: Events): Promise<Renderer> {
  const worker = new Worker(trustedWorkerUrl, { type: "module" });
  await new Promise<void>((ready, reject) => {
    // Until the worker is ready, a failure rejects the promise; after that it goes to onFailed.
    let fail = (reason: string) => {
      worker.terminate();
      reject(reason);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if ("loaded" in data) return onLoaded();
      if ("failed" in data) {
        fail(data.failed);
        return;
      }
      onQuality(data.quality);
      fail = onFailed;
      ready();
    });
    worker.addEventListener("error", ({ message }) => fail(message));
    worker.postMessage({ canvas } satisfies ToWorker, [canvas]);
  });
  return {
    show: (scene: Scene) => worker.postMessage({ scene } satisfies ToWorker),
    stop: () => worker.terminate(),
  };
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The page's only Trusted Types policy allows only the URL of our own worker. */
const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
const trustedWorkerUrl =
  trustedTypes
    ?.createPolicy("farwatch-backdrop", { createScriptURL: (url) => (url === workerUrl ? url : "") })
    .createScriptURL(workerUrl) ?? workerUrl;
