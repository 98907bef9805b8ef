import { motion } from "#site/ui/motion.ts";
import type { Renderer, Reports, Scene } from "./renderer.ts";
import type { FromWorker, ToWorker } from "./worker.ts";
import workerUrl from "./worker.ts?worker&url";

/** More would cost a lot and show little. */
const MAX_PIXEL_RATIO = 2;

/** Draws lines into the holder until the returned function is called. Rejects, or reports later, where it can't. */
export async function startLines(holder: HTMLElement, onFailed: (reason: string) => void): Promise<() => void> {
  const canvas = document.createElement("canvas");
  canvas.className = "backdrop-canvas";
  const reports: Reports = {
    onFailed,
    onPace: ({ scale, fps }) => {
      holder.dataset.pace = `${scale} at ${fps}`;
    },
  };
  const renderer =
    "OffscreenCanvas" in window && "transferControlToOffscreen" in canvas
      ? await rendererInWorker(canvas.transferControlToOffscreen(), reports)
      : await rendererInPage(canvas, reports);
  holder.append(canvas);

  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  function show(): void {
    renderer.show({
      width: innerWidth,
      height: innerHeight,
      pixelRatio: Math.min(devicePixelRatio, MAX_PIXEL_RATIO),
      state: document.hidden ? "hidden" : stillness.matches || motion.current() === "paused" ? "still" : "moving",
    });
  }

  show();
  addEventListener("resize", show);
  document.addEventListener("visibilitychange", show);
  stillness.addEventListener("change", show);
  const unsubscribe = motion.subscribe(show);

  return () => {
    removeEventListener("resize", show);
    document.removeEventListener("visibilitychange", show);
    stillness.removeEventListener("change", show);
    unsubscribe();
    renderer.stop();
    canvas.remove();
  };
}

/** A chunk of its own, because few browsers need it. */
async function rendererInPage(canvas: HTMLCanvasElement, reports: Reports): Promise<Renderer> {
  const { createRenderer } = await import("./renderer.ts");
  return createRenderer(canvas, reports);
}

/** The same renderer on another thread, so that the page stays quick however slow drawing is. */
async function rendererInWorker(canvas: OffscreenCanvas, { onPace, onFailed }: Reports): Promise<Renderer> {
  const worker = new Worker(trustedWorkerUrl, { type: "module" });
  await new Promise<void>((ready, reject) => {
    // Whoever waits for the worker hears of a failure; once nobody does, it is reported.
    let fail = reject;
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if ("failed" in data) {
        fail(data.failed);
        return;
      }
      onPace(data.pace);
      fail = onFailed;
      ready();
    });
    worker.addEventListener("error", ({ message }) => fail(message));
    worker.postMessage({ canvas } satisfies ToWorker, [canvas]);
  });
  if (!hasWebGl()) {
    worker.terminate();
    throw new Error("WebGL is switched off");
  }
  return {
    show: (scene: Scene) => worker.postMessage({ scene } satisfies ToWorker),
    stop: () => worker.terminate(),
  };
}

/**
 * Asked of the page, because Chromium's switch that turns WebGL off, which companies set, doesn't reach its workers. And
 * asked when the worker is ready and not yet drawing, because in a software renderer a browser's first context takes
 * 400 ms, a second one 9, and one beside a running picture 260.
 */
function hasWebGl(): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false });
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return gl !== null;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Where Trusted Types are enforced, this is the one policy there is, and our own worker the one address it admits. */
const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
const trustedWorkerUrl =
  trustedTypes
    ?.createPolicy("farwatch-backdrop", { createScriptURL: (url) => (url === workerUrl ? url : "") })
    .createScriptURL(workerUrl) ?? workerUrl;
