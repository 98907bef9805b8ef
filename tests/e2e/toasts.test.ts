import type { Page } from "@playwright/test";
import { INVALID_EMAIL } from "#contract/sign-up.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, mockSignUpResponse, openReadyToSubmit, pauseClock, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

async function failToJoin(page: Page, status: number, body = ""): Promise<void> {
  await mockSignUpResponse(page, status, body);
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(toast(page)).toBeVisible();
  await pauseClock(page);
}

test("a successful sign-up shows the toast Successfully joined the waitlist! with its description", async ({
  page,
}) => {
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(toast(page)).toHaveAttribute("data-variant", "default");
  await expect(page.getByText("Successfully joined the waitlist!", { exact: true })).toBeVisible();
  await expect(page.getByText("We'll be in touch soon with exclusive updates.", { exact: true })).toBeVisible();
});

test('an error that contains "already on the waitlist" shows the toast Error: This email is already on our waitlist.', async ({
  page,
}) => {
  await failToJoin(page, 409, "You are already on the waitlist, thank you");
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  await expect(toast(page).getByText("Error", { exact: true })).toBeVisible();
  await expect(toast(page).getByText("This email is already on our waitlist.", { exact: true })).toBeVisible();
});

for (const status of [400, 401, 403, 429, 500, 503]) {
  test(`any other sign-up failure (${status}) shows the toast Error: Failed to join waitlist. Please try again.`, async ({
    page,
  }) => {
    // The body of a success, so that only the status says otherwise.
    await failToJoin(page, status, '{"data":{"totalUsers":1,"companiesInterested":1}}');
    await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
    await expect(toast(page).getByText("Error", { exact: true })).toBeVisible();
    await expect(toast(page).getByText("Failed to join waitlist. Please try again.", { exact: true })).toBeVisible();
  });
}

test("a response that isn't JSON counts as a failure", async ({ page }) => {
  await failToJoin(page, 201, "<html>");
  await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
});

test("toasts have two variants, default and destructive, that look different", async ({ page }) => {
  await failToJoin(page, 500);
  const destructive = await toast(page).evaluate((element) => getComputedStyle(element).borderColor);
  await page.locator("footer").getByRole("link", { name: "Blog" }).click();
  await expect(toast(page)).toHaveAttribute("data-variant", "default");
  expect(await toast(page).evaluate((element) => getComputedStyle(element).borderColor)).not.toBe(destructive);
});

test("at most one toast is visible: a new one replaces it", async ({ page }) => {
  const counts: number[] = [];
  await page.exposeFunction("recordCount", (count: number) => counts.push(count));
  await page.addInitScript(() => {
    const { recordCount } = window as unknown as { recordCount(count: number): void };
    new MutationObserver(() => recordCount(document.querySelectorAll(".toast").length)).observe(document, {
      childList: true,
      subtree: true,
    });
  });
  await failToJoin(page, 500);
  for (const name of ["Blog", "Careers", "Status"]) {
    await page.locator("footer").getByRole("link", { name }).click();
    await expect(toast(page)).toHaveCount(1);
    await expect(toast(page)).toContainText(`Coming at launch: ${name}`);
  }
  expect(Math.max(...counts)).toBe(1);
});

test("a toast stays for 5000 ms and then closes", async ({ page }) => {
  await failToJoin(page, 500);
  await page.mouse.move(10, 10);
  await page
    .locator("footer")
    .getByRole("link", { name: "Blog" })
    .evaluate((link: HTMLElement) => link.click());
  await expect(toast(page)).toContainText("Coming at launch: Blog");
  await page.clock.runFor(4999);
  await expect(toast(page)).toHaveAttribute("data-state", "open");
  await page.clock.runFor(2);
  await expect(toast(page)).toHaveCount(0);
});

for (const [how, keys] of Object.entries({
  "the mouse": [],
  "the keyboard": ["F8", "Tab", "Tab", "Enter"],
  Escape: ["F8", "Tab", "Escape"],
})) {
  test(`after one that was dismissed by ${how}, a toast stays for 5000 ms and then closes`, async ({ page }) => {
    await failToJoin(page, 500);
    if (keys.length === 0) await page.getByRole("button", { name: "Dismiss" }).click();
    for (const key of keys) await page.keyboard.press(key);
    await expect(toast(page)).toHaveCount(0);
    await submit(page);
    await expect(toast(page)).toBeInViewport({ ratio: 1 });
    await page.clock.runFor(4999);
    await expect(toast(page)).toBeInViewport({ ratio: 1 });
    await page.clock.runFor(2);
    await expect(toast(page)).toHaveCount(0);
  });
}

test("F8 focuses the toast viewport", async ({ page }) => {
  await failToJoin(page, 500);
  await page.keyboard.press("F8");
  await expect(page.locator(".toast-viewport")).toBeFocused();
});

test("the toast viewport is at the bottom right on wider screens, at most 420 px wide", async ({ page }) => {
  await failToJoin(page, 500);
  const box = await page.locator(".toast-viewport").boundingBox();
  expect(box).toMatchObject({ width: 420, x: 1280 - 420 });
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(page.viewportSize()?.height);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.locator(".toast-viewport").boundingBox()).toMatchObject({ x: 0, width: 360 });
});

test("on a phone toasts are at the top, below the navigation bar, because the keyboard covers the bottom", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await failToJoin(page, 500);
  const bar = await page.getByRole("banner").boundingBox();
  // Once it has slid in.
  await expect.poll(() => toast(page).evaluate((element) => element.getAnimations().length)).toBe(0);
  const { x = 0, y = 0, width = 0 } = (await toast(page).boundingBox()) ?? {};
  expect({ x, width }).toEqual({ x: 16, width: 360 - 2 * 16 });
  expect(y).toBeGreaterThan(bar?.height ?? 0);
  expect(y).toBeLessThan(100);
});

async function swipe(page: Page, by: number): Promise<void> {
  const box = await toast(page).boundingBox();
  if (!box) throw new Error("No toast to swipe");
  const [x, y] = [Math.round(box.x) + 40, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + Math.floor(by / 2), y, { steps: 5 });
  await page.mouse.move(x + by, y, { steps: 5 });
  await page.mouse.up();
}

test("a swipe of up to 50 px leaves the toast, a longer one dismisses it", async ({ page }) => {
  await failToJoin(page, 500);
  await swipe(page, 50);
  await expect(toast(page)).toHaveAttribute("data-swipe", "cancel");
  await expect(toast(page)).toHaveAttribute("data-state", "open");
  await swipe(page, 51);
  await expect(toast(page)).toHaveCount(0);
});

test("the Dismiss button closes a toast", async ({ page }) => {
  await failToJoin(page, 500);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(toast(page)).toHaveCount(0);
});

test("the form works when the toast script fails to load", async ({ page }) => {
  await page.route("**/assets/toast-region-*.js", (route) => route.abort());
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp({ email: "" }));
  await submit(page);
  await expect(page.getByText(INVALID_EMAIL)).toBeVisible();
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
});

test("when the toast script fails to load, a plain alert shows the error for 5000 ms", async ({ page }) => {
  await page.route("**/assets/toast-region-*.js", (route) => route.abort(), { times: 1 });
  await mockSignUpResponse(page, 500, "");
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await expect(page.getByRole("alert")).toBeAttached();
  await pauseClock(page);
  await submit(page);
  await expect(page.getByRole("alert")).toHaveText("ErrorFailed to join waitlist. Please try again.");
  await expect(toast(page)).toBeVisible();
  await page.clock.runFor(4999);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(2);
  await expect(toast(page)).toHaveCount(0);
});
