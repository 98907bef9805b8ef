import { expect, type Locator } from "@playwright/test";

interface Frame {
  opacity: number;
  x: number;
  y: number;
}

/** Below this opacity, an element changes no 8-bit color value by even half a step. */
export const INVISIBLE = 1 / 510;

/** Seeks each element's animation to these times, without waiting, and returns its appearance at each. */
export async function frames(elements: Locator, times: number[]): Promise<Frame[][]> {
  return elements.evaluateAll(
    (all, at) =>
      all.map((element) => {
        // Restarts the animation, because getAnimations() doesn't list finished ones.
        const { style } = element as HTMLElement;
        style.animationName = "none";
        getComputedStyle(element).animationName;
        style.animationName = "";
        const [animation] = element.getAnimations();
        animation?.pause();
        return at.map((time) => {
          if (animation) animation.currentTime = time;
          const { opacity, transform } = getComputedStyle(element);
          const { e, f } = new DOMMatrix(transform);
          return { opacity: Number(opacity), x: e, y: f };
        });
      }),
    times,
  );
}

/** Expects an element to be invisible during the delay, then to fade in gradually, and to be in place at the end. */
export async function expectFadeIn(element: Locator, delayMs: number, durationMs: number): Promise<void> {
  const parts = [0, 0.02, 0.1, 0.3, 0.6].map((part) => delayMs + part * durationMs);
  const [[start, ...fading] = []] = await frames(element, [0, ...parts, delayMs + durationMs]);
  const end = fading.pop();
  for (const frame of [start, fading.shift()]) expect(frame?.opacity).toBeLessThan(INVISIBLE);
  const opacities = fading.map(({ opacity }) => opacity);
  expect(opacities).toEqual(opacities.toSorted((one, other) => one - other));
  expect(opacities[0]).toBeGreaterThan(0);
  expect(opacities[1]).toBeLessThan(0.8);
  expect(opacities.at(-1)).toBeGreaterThan(0.5);
  // The element is still fading and moving after 60% of the duration.
  for (const { opacity, y } of fading) {
    expect(opacity).toBeLessThan(1);
    expect(y).not.toBe(0);
  }
  expect(end).toEqual({ opacity: 1, x: 0, y: 0 });
}

/** The delay, duration, iteration count and play state of each element's animation. */
export const played = (elements: Locator) =>
  elements.evaluateAll((all) =>
    all.map((element) => {
      const { animationDelay, animationDuration, animationIterationCount, animationPlayState } =
        getComputedStyle(element);
      return [animationDelay, animationDuration, animationIterationCount, animationPlayState].join(" ");
    }),
  );
