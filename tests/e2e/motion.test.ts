import type { Locator } from "@playwright/test";
import { openFullyLoaded, openPage } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

/** Reads the computed animation timings, without waiting for the animations. */
async function timings(locator: Locator): Promise<{ name: string; duration: string; delay: string; count: string }[]> {
  return locator.evaluateAll((elements) =>
    elements.map((element) => {
      const { animationName, animationDuration, animationDelay, animationIterationCount } = getComputedStyle(element);
      return {
        name: animationName,
        duration: animationDuration,
        delay: animationDelay,
        count: animationIterationCount,
      };
    }),
  );
}

/** Seeks an element's animation to a time and returns the computed property, without waiting. */
async function styleAt(locator: Locator, ms: number, property: "opacity" | "transform"): Promise<string> {
  return locator.evaluate(
    (element, { time, name }) => {
      // Restarted, because getAnimations doesn't list an animation that has finished.
      const { style } = element as HTMLElement;
      style.animationName = "none";
      getComputedStyle(element).animationName;
      style.animationName = "";
      const [animation] = element.getAnimations();
      animation?.pause();
      if (animation) animation.currentTime = time;
      return getComputedStyle(element)[name];
    },
    { time: ms, name: property },
  );
}

/** Expects an element to be invisible during a delay, and fully visible a duration after it. */
async function expectFadeIn(locator: Locator, delayMs: number, durationMs: number): Promise<void> {
  expect(await styleAt(locator, delayMs, "opacity")).toBe("0");
  const halfway = Number(await styleAt(locator, delayMs + durationMs / 2, "opacity"));
  expect(halfway).toBeGreaterThan(0);
  expect(halfway).toBeLessThan(1);
  expect(await styleAt(locator, delayMs + durationMs, "opacity")).toBe("1");
}

test("hero text fades in over 1 s, 0.2 s apart, after 0.5 s", async ({ page }) => {
  await page.goto("/");
  const items = await timings(page.locator(".hero-item"));
  expect(items.map(({ duration }) => duration)).toEqual(["1s", "1s", "1s", "1s"]);
  expect(items.map(({ delay }) => delay)).toEqual(["0.5s", "0.7s", "0.9s", "1.1s"]);
  for (const [i, item] of (await page.locator(".hero-item").all()).entries()) {
    await expectFadeIn(item, 500 + 200 * i, 1000);
  }
});

test("five gradient pills fade in over 2.4 s with delays of 0.3 to 0.7 s", async ({ page }) => {
  await page.goto("/");
  const pills = await timings(page.locator(".pill"));
  expect(pills.map(({ duration }) => duration)).toEqual(Array(5).fill("2.4s"));
  expect(pills.map(({ delay }) => delay).sort()).toEqual(["0.3s", "0.4s", "0.5s", "0.6s", "0.7s"]);
  const backgrounds = await page
    .locator(".pill > * > *")
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).backgroundImage));
  for (const background of backgrounds) expect(background).toContain("linear-gradient");
  for (const pill of await page.locator(".pill").all()) {
    expect(await styleAt(pill, 0, "opacity")).toBe("0");
    expect(await styleAt(pill, 2400 + 700, "opacity")).toBe("1");
  }
});

test("the pills float vertically in a 12 s loop", async ({ page }) => {
  await page.goto("/");
  const loops = await timings(page.locator(".pill > *"));
  expect(loops).toEqual(Array(5).fill({ name: "float", duration: "12s", delay: "0s", count: "infinite" }));
  expect(await styleAt(page.locator(".pill > *").first(), 6000, "transform")).toBe("matrix(1, 0, 0, 1, 0, 15)");
});

test("feature cards appear 0.1 s apart when scrolled into view", async ({ page }) => {
  // Tall enough for all six cards.
  await page.setViewportSize({ width: 1280, height: 1400 });
  await openPage(page);
  const cards = page.locator("#features li");
  await expect(cards.first()).toHaveAttribute("data-reveal", "waiting");
  await expect(cards.first()).toHaveCSS("opacity", "0");
  await page.locator("#features ul").evaluate((list) => list.scrollIntoView({ block: "center", behavior: "instant" }));
  for (const [i, card] of (await cards.all()).entries()) {
    await expect(card).toHaveAttribute("data-reveal", "shown");
    const [timing] = await timings(card);
    await expectFadeIn(card, 100 * i, 1000 * Number.parseFloat(timing?.duration ?? ""));
  }
});

test("feature cards appear 0.1 s apart on arrival at /#features", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 1400 });
  await page.addInitScript(() => {
    const frames: number[][] = [];
    Object.assign(window, { frames });
    const record = () => {
      const cards = [...document.querySelectorAll("#features li")];
      if (cards.length === 6) frames.push(cards.map((card) => Number(getComputedStyle(card).opacity)));
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  });
  await openPage(page, "/#features");
  const cards = page.locator("#features li");
  await expect(cards.last()).toHaveCSS("opacity", "1");
  for (const card of await cards.all()) await expect(card).toBeInViewport({ ratio: 1 });

  const frames = await page.evaluate(() => (window as unknown as { frames: number[][] }).frames);
  expect(frames[0]).toEqual(Array(6).fill(0));
  for (const frame of frames) expect(frame).toEqual(frame.toSorted((a, b) => b - a));
  for (const [i, card] of (await cards.all()).entries()) await expectFadeIn(card, 100 * i, 700);
});

test("feature cards are visible without JavaScript", async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.origin);
  for (const card of await page.locator("#features li").all()) await expect(card).toHaveCSS("opacity", "1");
  await context.close();
});

test("the footer's motion control pauses and resumes all animations", async ({ page }) => {
  await openPage(page);
  const states = () =>
    page.evaluate(() => [
      ...new Set(
        document
          .getAnimations()
          .filter((animation) => animation instanceof CSSAnimation && animation.timeline instanceof DocumentTimeline)
          .map(({ playState }) => playState),
      ),
    ]);
  await page.getByRole("button", { name: "Pause motion" }).click();
  expect(await states()).not.toContain("running");
  await page.getByRole("button", { name: "Resume motion" }).click();
  expect(await states()).toContain("running");
});

test("under prefers-reduced-motion nothing is animated and everything is visible", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openFullyLoaded(page, "/");
  await page.locator("#features").scrollIntoViewIfNeeded();
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ timeline }) => timeline instanceof DocumentTimeline)
      .map((animation) => (animation as CSSAnimation).animationName),
  );
  expect(moving).toEqual([]);
  for (const item of await page.locator(".hero-item, .pill, #features li").all()) {
    await expect(item).toHaveCSS("opacity", "1");
  }
});

test("the headline is readable 1.2 s after the page appears", async ({ page }) => {
  await page.goto("/");
  // After its delay of 0.7 s, half of its 1 s fade has passed.
  const opacity = await styleAt(page.getByRole("heading", { level: 1 }), 1200, "opacity");
  expect(Number(opacity)).toBeGreaterThan(0.7);
});
