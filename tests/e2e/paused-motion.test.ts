import type { Locator, Page } from "@playwright/test";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  fillIn,
  holdRequests,
  mockSignUpResponse,
  openPage,
  openReadyToSubmit,
  pauseClock,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const card = (page: Page) => page.getByRole("group", { name: "Successfully Joined!" });
const pause = (page: Page) => page.getByRole("button", { name: "Pause motion" }).click();
/** Not with the mouse: the toast can be above the button. */
const resume = (page: Page) => page.getByRole("button", { name: "Resume motion" }).press("Enter");
const opacity = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).opacity);

async function submitWhilePaused(page: Page): Promise<void> {
  await openReadyToSubmit(page);
  await pause(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(toast(page)).toBeAttached();
}

test("while motion is paused, a success shows its card and its toast, and resuming doesn't fade them in again", async ({
  page,
}) => {
  await submitWhilePaused(page);
  await pauseClock(page);
  expect([await opacity(card(page)), await opacity(toast(page))]).toEqual(["1", "1"]);
  await resume(page);
  expect([await opacity(card(page)), await opacity(toast(page))]).toEqual(["1", "1"]);
});

test("while motion is paused, an error shows its toast", async ({ page }) => {
  await mockSignUpResponse(page, 500, "");
  await submitWhilePaused(page);
  expect(await opacity(toast(page))).toBe("1");
});

test("while motion is paused, feature cards scrolled into view are visible", async ({ page }) => {
  await openPage(page);
  const feature = page.locator("#features li").first();
  await expect(feature).toHaveAttribute("data-reveal", "waiting");
  // Not clicked, because that would scroll past the cards.
  await page.getByRole("button", { name: "Pause motion" }).evaluate((button: HTMLElement) => button.click());
  await feature.evaluate((element) => element.scrollIntoView({ behavior: "instant" }));
  await expect(feature).toHaveAttribute("data-reveal", "shown");
  expect(await opacity(feature)).toBe("1");
});

test("while motion is paused, hovering over a feature card leaves its drawing as it is", async ({ page }) => {
  await openPage(page);
  await pause(page);
  const feature = page.locator("#features li").first();
  await feature.hover();
  await expect(feature).toHaveCSS("border-color", "rgba(255, 255, 255, 0.2)");
  expect(await opacity(feature.locator(".ring-in"))).toBe("1");
});

test("a backdrop that starts while motion is paused is visible", async ({ page }) => {
  const release = await holdRequests(page, "**/assets/start-*.js");
  await openPage(page);
  await pause(page);
  release();
  await expect(page.locator(".backdrop-canvas")).toBeAttached();
  expect(await opacity(page.locator(".backdrop-canvas"))).toBe("1");
});
