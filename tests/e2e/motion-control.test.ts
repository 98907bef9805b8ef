import type { Locator, Page } from "@playwright/test";
import * as content from "#brand/content.ts";
import { dark } from "#brand/tokens.ts";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { computedColor } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  fillIn,
  mockSignUpResponse,
  openPage,
  openReadyToSubmit,
  pauseClock,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

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
  await page.getByRole("button", { name: content.pauseMotion }).click();
  expect(await states()).not.toContain("running");
  await page.getByRole("button", { name: content.resumeMotion }).click();
  expect(await states()).toContain("running");
  const pulses = page.locator(".backdrop-circle");
  await expect(pulses).toHaveCount(3);
  for (const pulse of await pulses.all()) {
    expect(await pulse.evaluate((circle) => circle.getAnimations().map(({ playState }) => playState))).toEqual([
      "running",
    ]);
  }
  // A phone's menu slides in, unless motion is paused.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.locator("#menu")).not.toHaveCSS("transition-property", "none");
  await page.getByRole("button", { name: content.pauseMotion }).click();
  await expect(page.locator("#menu")).toHaveCSS("transition-property", "none");
});

test("under prefers-reduced-motion nothing is animated, and everything is visible", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPage(page);
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
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.locator("#menu")).toHaveCSS("transition-property", "none");
});

const pause = (page: Page) => page.getByRole("button", { name: content.pauseMotion }).click();
/** Uses the keyboard, because a toast can cover the button. */
const resume = (page: Page) => page.getByRole("button", { name: content.resumeMotion }).press("Enter");
const opacity = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).opacity);

test("while motion is paused, toasts, card and note appear at once, and stay on resume", async ({ page }) => {
  await mockSignUpResponse(page, 201, JSON.stringify({ data: {}, confirmByEmail: true }));
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status: 500 }), { times: 1 });
  await openReadyToSubmit(page);
  await pause(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  expect(await opacity(toast(page))).toBe("1");
  await submit(page);
  await expect(toast(page)).toHaveAttribute("data-variant", "default");
  await pauseClock(page);
  const opacities = () =>
    Promise.all([page.locator(".card.joined"), page.locator(".confirm-note"), toast(page)].map(opacity));
  expect(await opacities()).toEqual(["1", "1", "1"]);
  await resume(page);
  expect(await opacities()).toEqual(["1", "1", "1"]);
});

test("while motion is paused, feature cards appear at once and ignore hovering", async ({ page }) => {
  await openPage(page);
  const feature = page.locator("#features li").first();
  await expect(feature).toHaveAttribute("data-reveal", "waiting");
  // Clicks by script, because a real click would scroll past the cards.
  await page.getByRole("button", { name: content.pauseMotion }).evaluate((button: HTMLElement) => button.click());
  await feature.evaluate((element) => element.scrollIntoView({ behavior: "instant" }));
  await expect(feature).toHaveAttribute("data-reveal", "shown");
  expect(await opacity(feature)).toBe("1");
  await feature.hover();
  await expect(feature).toHaveCSS("border-color", computedColor(dark.lineStrong));
  expect(await opacity(feature.locator(".ring-in"))).toBe("1");
});
