import { expect, type Locator } from "@playwright/test";

interface Frame {
  opacity: number;
  x: number;
  y: number;
}

/** Seeks each element's animation to these times and returns what it looks like, without waiting. */
export async function frames(elements: Locator, times: number[]): Promise<Frame[][]> {
  return elements.evaluateAll(
    (all, at) =>
      all.map((element) => {
        // Restarted, because getAnimations doesn't list an animation that has finished.
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

/** Expects an element to be invisible during a delay, to appear bit by bit, and to be in its place a duration later. */
export async function expectFadeIn(element: Locator, delayMs: number, durationMs: number): Promise<void> {
  const parts = [0, 0.02, 0.1, 0.3, 0.6].map((part) => delayMs + part * durationMs);
  const [[start, ...fading] = []] = await frames(element, [0, ...parts, delayMs + durationMs]);
  const end = fading.pop();
  expect([start?.opacity, fading.shift()?.opacity]).toEqual([0, 0]);
  const opacities = fading.map(({ opacity }) => opacity);
  expect(opacities).toEqual(opacities.toSorted((one, other) => one - other));
  expect(opacities[0]).toBeGreaterThan(0);
  expect(opacities[1]).toBeLessThan(0.8);
  expect(opacities.at(-1)).toBeGreaterThan(0.5);
  // Until the last quarter, it is on its way.
  for (const { opacity, y } of fading) {
    expect(opacity).toBeLessThan(1);
    expect(y).not.toBe(0);
  }
  expect(end).toEqual({ opacity: 1, x: 0, y: 0 });
}

/** The delay, duration, count and state of the animations that the browser plays. */
export const played = (elements: Locator) =>
  elements.evaluateAll((all) =>
    all.map((element) => {
      const { animationDelay, animationDuration, animationIterationCount, animationPlayState } =
        getComputedStyle(element);
      return [animationDelay, animationDuration, animationIterationCount, animationPlayState].join(" ");
    }),
  );
