import type { Locator } from "@playwright/test";
import { openFullyLoaded, openPage } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

/** The animations' timings as the browser computed them; nothing is waited for. */
async function timings(of: Locator): Promise<{ name: string; duration: string; delay: string; count: string }[]> {
  return of.evaluateAll((all) =>
    all.map((one) => {
      const { animationName, animationDuration, animationDelay, animationIterationCount } = getComputedStyle(one);
      return {
        name: animationName,
        duration: animationDuration,
        delay: animationDelay,
        count: animationIterationCount,
      };
    }),
  );
}

/** A property of an element as its animation has it at that moment, without waiting for it. */
async function styleAt(of: Locator, ms: number, property: "opacity" | "transform"): Promise<string> {
  return of.evaluate(
    (one, { time, name }) => {
      // Started anew, because one that is over by now is no longer listed.
      const { style } = one as HTMLElement;
      style.animationName = "none";
      getComputedStyle(one).animationName;
      style.animationName = "";
      const [animation] = one.getAnimations();
      animation?.pause();
      if (animation) animation.currentTime = time;
      return getComputedStyle(one)[name];
    },
    { time: ms, name: property },
  );
}

test("hero text fades in over 1 s, 0.2 s apart, after 0.5 s", async ({ page }) => {
  await page.goto("/");
  const items = await timings(page.locator(".hero-item"));
  expect(items.map(({ duration }) => duration)).toEqual(["1s", "1s", "1s", "1s"]);
  expect(items.map(({ delay }) => delay)).toEqual(["0.5s", "0.7s", "0.9s", "1.1s"]);
});

test("there are five gradient pills that fade in for 2.4 s with delays of 0.3 to 0.7 s", async ({ page }) => {
  await page.goto("/");
  const pills = await timings(page.locator(".pill"));
  expect(pills.map(({ duration }) => duration)).toEqual(Array(5).fill("2.4s"));
  expect(pills.map(({ delay }) => delay).sort()).toEqual(["0.3s", "0.4s", "0.5s", "0.6s", "0.7s"]);
  const looks = await page
    .locator(".pill > * > *")
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundImage));
  for (const look of looks) expect(look).toContain("linear-gradient");
  expect(await styleAt(page.locator(".pill").first(), 0, "opacity")).toBe("0");
});

test("the pills drift: a vertical float loop of 12 s", async ({ page }) => {
  await page.goto("/");
  const loops = await timings(page.locator(".pill > *"));
  expect(loops).toEqual(Array(5).fill({ name: "float", duration: "12s", delay: "0s", count: "infinite" }));
  expect(await styleAt(page.locator(".pill > *").first(), 6000, "transform")).toBe("matrix(1, 0, 0, 1, 0, 15)");
});

test("feature cards come in 0.1 s apart when they are scrolled to", async ({ page }) => {
  await openPage(page);
  const cards = page.locator("#features li");
  await expect(cards.first()).toHaveAttribute("data-reveal", "waiting");
  await expect(cards.first()).toHaveCSS("opacity", "0");
  await page.locator("#features ul").evaluate((list) => list.scrollIntoView({ block: "center", behavior: "instant" }));
  await expect(cards.first()).toHaveAttribute("data-reveal", "shown");
  const shown = await timings(cards);
  expect(shown.map(({ delay }) => delay)).toEqual(["0s", "0.1s", "0.2s", "0.3s", "0.4s", "0.5s"]);
});

test("without JavaScript no card waits to be seen", async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.origin);
  for (const card of await page.locator("#features li").all()) await expect(card).toHaveCSS("opacity", "1");
  await context.close();
});

test("a control in the footer pauses all motion, and resumes it", async ({ page }) => {
  await openPage(page);
  const states = () =>
    page.evaluate(() => [
      ...new Set(
        document
          .getAnimations()
          .filter((one) => one instanceof CSSAnimation && one.timeline instanceof DocumentTimeline)
          .map(({ playState }) => playState),
      ),
    ]);
  await page.getByRole("button", { name: "Pause motion" }).click();
  expect(await states()).not.toContain("running");
  await page.getByRole("button", { name: "Resume motion" }).click();
  expect(await states()).toContain("running");
});

test("under prefers-reduced-motion nothing moves, and everything is simply there", async ({ page }) => {
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

test("the headline is readable 1.2 s after the page began to show", async ({ page }) => {
  await page.goto("/");
  // 0.7 s late, then half of its second.
  const opacity = await styleAt(page.getByRole("heading", { level: 1 }), 1200, "opacity");
  expect(Number(opacity)).toBeGreaterThan(0.7);
});
