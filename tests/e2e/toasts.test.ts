import type { Page } from "@playwright/test";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { INVALID_EMAIL } from "#contract/sign-up.ts";
import { expectSeen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  expectToast,
  expectToastFor5Seconds,
  field,
  fillIn,
  mockSignUpResponse,
  openReadyToSubmit,
  pauseClock,
  runUntilToast,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

// A still backdrop leaves the machine to the form.
test.use({ contextOptions: { reducedMotion: "reduce" } });

/** Leaves a toast with an error on the screen, and the clock paused. */
async function failToJoin(page: Page): Promise<void> {
  await mockSignUpResponse(page, 500, "");
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await pauseClock(page);
  await field(page, "Company").press("Enter");
  await runUntilToast(page);
}

const JOINED = ["Successfully joined the waitlist!", "We'll be in touch soon with exclusive updates."] as const;

test("a successful sign-up shows the toast Successfully joined the waitlist! with its description for 5000 ms", async ({
  page,
}) => {
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await pauseClock(page);
  await field(page, "Company").press("Enter");
  await runUntilToast(page);
  await expectToast(page, "default", ...JOINED);
  await expectToastFor5Seconds(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
});

const FAILED = "Failed to join waitlist. Please try again.";
const DUPLICATE = "This email is already on our waitlist.";
/** The body of a success, so that only the status says otherwise. */
const SUCCESS = '{"data":{"totalUsers":1,"companiesInterested":1}}';

for (const [name, responses, message] of [
  [
    'an error that contains "already on the waitlist", whatever its status,',
    [
      [409, "You are already on the waitlist, thank you"],
      [400, '{"detail":"already on the waitlist"}'],
      [500, `${"x".repeat(5000)} already on the waitlist`],
    ],
    DUPLICATE,
  ],
  [
    "any other failure, of any status, of the network or of the JSON,",
    [
      ...[300, 401, 404, 422, 500, 503].map((status) => [status, SUCCESS] as const),
      [409, "Already on the Waitlist"],
      [400, '{"errors":[{"field":"email","message":"No such domain"}]}'],
      [201, "<html>"],
      [0, ""],
    ],
    FAILED,
  ],
] as const) {
  test(`${name} shows the toast Error: ${message} and leaves the form as it was`, async ({ page }) => {
    let [status, body]: readonly [number, string] = [0, ""];
    await page.route(`**${WAITLIST_PATH}`, (route) =>
      status ? route.fulfill({ status, body }) : route.abort("connectionreset"),
    );
    const ada = aSignUp({ company: "Acme", newsletter: true });
    await openReadyToSubmit(page);
    await fillIn(page, ada);
    await pauseClock(page);
    for ([status, body] of responses) {
      await field(page, "Company").press("Enter");
      await runUntilToast(page);
      await expectToast(page, "destructive", "Error", message);
      await expect(page.locator("#waitlist")).not.toContainText("Joined");
      await expect(button(page)).toBeEnabled();
      await expect(button(page)).toHaveText("Join the Waitlist");
      const values = page.locator("form input:not([type=checkbox])");
      const texts = await values.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
      expect(texts).toEqual(["Ada", "Lovelace", ada.email, "Acme", ""]);
      await expect(page.getByRole("checkbox")).toBeChecked();
      await expectToastFor5Seconds(page);
    }
    await expectSeen(button(page));
    [status, body] = [201, SUCCESS];
    await field(page, "Company").press("Enter");
    await runUntilToast(page);
    await expectToast(page, "default", ...JOINED);
  });
}

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
  await failToJoin(page);
  for (const name of ["Blog", "Careers", "Status"]) {
    await page.locator("footer").getByRole("link", { name }).click();
    await expect(toast(page)).toHaveCount(1);
    await expect(toast(page)).toContainText(`Coming at launch: ${name}`);
  }
  expect(Math.max(...counts)).toBe(1);
  await expectToast(page, "default", "Coming at launch: Status", "Join the waitlist for early access.");
});

test("a toast stays for 5000 ms and then closes", async ({ page }) => {
  await failToJoin(page);
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
    await failToJoin(page);
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

test("F8 focuses the toast viewport, from anywhere and again", async ({ page }) => {
  await failToJoin(page);
  for (const from of ["Email", "Company"]) {
    await field(page, from).focus();
    for (const key of ["F7", "F9"]) await page.keyboard.press(key);
    await expect(field(page, from)).toBeFocused();
    await page.keyboard.press("F8");
    await expect(page.locator(".toast-viewport")).toBeFocused();
  }
});

test("the toast viewport is at the bottom right on wider screens, at most 420 px wide", async ({ page }) => {
  await failToJoin(page);
  const height = 700;
  for (const width of [640, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height });
    const box = (await page.locator(".toast-viewport").boundingBox()) ?? { y: 0, height: 0 };
    expect(box).toMatchObject({ width: 420, x: width - 420 });
    expect(box.y + box.height).toBe(height);
    const { x = 0, y = 0 } = (await toast(page).boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(width - 420);
    expect(y).toBeGreaterThan(height / 2);
    await expectSeen(toast(page).locator("> :not(button)"));
  }
  // For visitors who prefer large type, too.
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "24px"));
  expect(await page.locator(".toast-viewport").boundingBox()).toMatchObject({ x: 1500, width: 420 });
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.locator(".toast-viewport").boundingBox()).toMatchObject({ x: 0, width: 360 });
});

test("on a phone toasts are at the top, below the navigation bar, because the keyboard covers the bottom", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await failToJoin(page);
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
  await failToJoin(page);
  const blog = page.locator("footer").getByRole("link", { name: "Blog" });
  for (const variant of ["destructive", "default"]) {
    await expect(toast(page)).toHaveAttribute("data-variant", variant);
    for (const by of [-200, 50]) {
      await swipe(page, by);
      await expect(toast(page)).toHaveAttribute("data-state", "open");
      await expect(toast(page)).not.toHaveAttribute("data-swipe", "move");
    }
    await swipe(page, 51);
    await expect(toast(page)).toHaveCount(0);
    await blog.evaluate((link: HTMLElement) => link.click());
  }
});

test("the Dismiss button closes a toast", async ({ page }) => {
  await failToJoin(page);
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
  await expect(page.getByRole("alert").locator(toast(page))).toBeVisible();
  await expectToast(page, "destructive", "Error", "Failed to join waitlist. Please try again.");
  await page.clock.runFor(4999);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(2);
  await expect(toast(page)).toHaveCount(0);
});
