import type { Page } from "@playwright/test";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { INVALID_EMAIL } from "#contract/sign-up.ts";
import { expectSeen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  expectToast,
  expectToastFor5Seconds,
  failToJoin,
  field,
  fillIn,
  holdRequests,
  joinedTitle,
  openReadyToSubmit,
  openToFail,
  pauseClock,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { VISITORS, visitor } from "#tests/support/visitors.ts";
import { expect, test } from "./fixtures.ts";

test("F8 focuses the toast viewport, at the bottom right and at most 420 px wide on wider screens", async ({
  page,
}) => {
  await openToFail(page);
  await expect(page.locator(".toast-viewport")).toBeAttached();
  for (const from of ["Email", "Company"]) {
    // Presses F8 first without a toast, then with one.
    if (from === "Company") await failToJoin(page);
    await field(page, from).focus();
    for (const key of ["F7", "F9"]) await page.keyboard.press(key);
    await expect(field(page, from)).toBeFocused();
    await page.keyboard.press("F8");
    await expect(page.locator(".toast-viewport")).toBeFocused();
  }
  const screens = Object.values(VISITORS).flatMap((visitor) => visitor.screens);
  for (const { width, height } of screens.filter((screen) => screen.width >= 640)) {
    await page.setViewportSize({ width, height });
    const box = (await page.locator(".toast-viewport").boundingBox()) ?? { y: 0, height: 0 };
    expect(box).toMatchObject({ width: 420, x: width - 420 });
    expect(box.y + box.height).toBe(height);
    const { x = 0, y = 0, width: own = 0 } = (await toast(page).boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(width - 420);
    expect(x + own).toBeLessThanOrEqual(width);
    expect(y).toBeGreaterThan(height / 2);
    await expectSeen(toast(page).locator("> :not(button)"));
  }
  // A larger font size doesn't widen the toast viewport.
  const setFontSize = (size: string) =>
    page.evaluate((to) => document.documentElement.style.setProperty("font-size", to), size);
  await setFontSize("24px");
  expect(await page.locator(".toast-viewport").boundingBox()).toMatchObject({ x: 2560 - 420, width: 420 });
  await setFontSize("");
  // On a phone, toasts are at the top, below the navigation bar, because the keyboard covers the bottom.
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.locator(".toast-viewport").boundingBox()).toMatchObject({ x: 0, width: 360 });
  const bar = await page.getByRole("banner").boundingBox();
  const { x = 0, y = 0, width = 0 } = (await toast(page).boundingBox()) ?? {};
  expect({ x, width }).toEqual({ x: 16, width: 360 - 2 * 16 });
  expect(y).toBeGreaterThan(bar?.height ?? 0);
  expect(y).toBeLessThan(100);
});

/** Swipes by touch or by mouse, as the visitor does. */
async function swipe(page: Page, by: number): Promise<void> {
  const box = await toast(page).boundingBox();
  if (!box) throw new Error("No toast to swipe");
  const [x, y] = [Math.round(box.x) + (by < 0 ? 240 : 40), box.y + box.height / 2];
  const stops = [0.2, 0.5, 0.8, 1].map((part) => x + Math.floor(by * part));
  if (visitor()?.input === "touch") {
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...xs: number[]) =>
      devtools.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((at) => ({ x: at, y })) });
    await touch("touchStart", x);
    for (const stop of stops) await touch("touchMove", stop);
    await touch("touchEnd");
    await devtools.detach();
    return;
  }
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const stop of stops) await page.mouse.move(stop, y);
  await page.mouse.up();
}

test("a swipe of up to 50 px leaves the toast, a longer one dismisses it", async ({ page }) => {
  await openToFail(page);
  await failToJoin(page);
  const blog = page.locator("footer").getByRole("link", { name: "Blog" });
  for (const variant of ["destructive", "default"]) {
    await expect(toast(page)).toHaveAttribute("data-variant", variant);
    for (const by of [-200, 50]) {
      await swipe(page, by);
      await expect(toast(page)).toHaveAttribute("data-state", "open");
      await expect(toast(page)).not.toHaveAttribute("data-swipe", "move");
    }
    // The toast fades out where the swipe ended.
    const swipedBy = toast(page).evaluate(
      (element) =>
        new Promise((resolve) => {
          new MutationObserver(() => {
            if (element.dataset.state === "closed") resolve(new DOMMatrix(getComputedStyle(element).transform).e);
          }).observe(element, { attributes: true });
        }),
    );
    await swipe(page, 51);
    await expect(toast(page)).toHaveCount(0);
    expect(await swipedBy).toBe(51);
    await blog.evaluate((link: HTMLElement) => link.click());
  }
});

test("when the toast script stalls, a plain alert shows an error after a second", async ({ page }) => {
  const release = await holdRequests(page, "**/assets/toast-region-*.js");
  await openToFail(page);
  await failToJoin(page);
  await expect(page.getByRole("alert").locator(toast(page))).toBeVisible();
  await expectToast(page, "destructive", "Error", "Failed to join waitlist. Please try again.");
  // The script's toasts take over once the plain alert has closed.
  const loaded = page.waitForResponse("**/assets/toast-region-*.js");
  release();
  await (await loaded).finished();
  await expectToastFor5Seconds(page);
  await failToJoin(page);
  await expect(page.getByRole("button", { name: "Dismiss" })).toBeVisible();
  await expectToastFor5Seconds(page);
});

test("when the toast script fails to load, a plain alert shows an error for 5000 ms", async ({ page }) => {
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.route("**/assets/toast-region-*.js", (route) => route.abort());
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status: 500 }), { times: 1 });
  await openReadyToSubmit(page);
  await expect(page.getByRole("alert")).toBeAttached();
  await fillIn(page, aSignUp({ email: "" }));
  await submit(page);
  await expect(page.getByText(INVALID_EMAIL)).toBeVisible();
  await fillIn(page, aSignUp());
  await pauseClock(page);
  const blog = page.locator("footer").getByRole("link", { name: "Blog" });
  await blog.evaluate((link: HTMLElement) => link.click());
  await page.clock.runFor(2000);
  // The error replaces the link's toast.
  await submit(page);
  await expect(page.getByRole("alert").locator(toast(page))).toBeVisible();
  await expectToast(page, "destructive", "Error", "Failed to join waitlist. Please try again.");
  await field(page, "Company").press("F8");
  await expect(page.getByRole("alert")).toBeFocused();
  await page.clock.runFor(4999);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(2);
  await expect(toast(page)).toHaveCount(0);
  await submit(page);
  await page.clock.resume();
  await expect(joinedTitle(page)).toBeVisible();
  expect(errors).toEqual([]);
});
