import type { Page } from "@playwright/test";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { expectSeen, onEachScreen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  expectToast,
  expectToastFor5Seconds,
  failToJoin,
  field,
  openFilledIn,
  openToFail,
  pauseClock,
  runUntilToast,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

/** With the clock paused when a toast appeared, expects it to stay for exactly 5000 ms. */
async function expectExactly5Seconds(page: Page): Promise<void> {
  await page.clock.runFor(4999);
  await expect(toast(page)).toHaveAttribute("data-state", "open");
  await expect(toast(page)).toBeInViewport({ ratio: 1 });
  await page.clock.runFor(2);
  await expect(toast(page)).toHaveCount(0);
}

const JOINED = ["Successfully joined the waitlist!", "We'll be in touch soon with exclusive updates."] as const;

const FAILED = "Failed to join waitlist. Please try again.";
const DUPLICATE = "This email is already on our waitlist.";
/** The body of a success, so that only the status shows the failure. */
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
    await page.route(`**${WAITLIST_PATH}`, async (route) => {
      // Lets the form render as submitting, which a paused clock would skip.
      await page.clock.runFor(10);
      await (status ? route.fulfill({ status, body }) : route.abort("connectionreset"));
    });
    await openFilledIn(page, aSignUp({ company: "Acme", newsletter: true }));
    await pauseClock(page);
    const values = page.locator("form input:not([type=checkbox])");
    const texts = () => values.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    const typed = await texts();
    expect(typed).toContain("Acme");
    for ([status, body] of responses) {
      await field(page, "Company").press("Enter");
      await runUntilToast(page);
      await expectToast(page, "destructive", "Error", message);
      await expect(page.locator("#waitlist")).not.toContainText("Joined");
      await expect(button(page)).toBeEnabled();
      await expect(button(page)).toHaveText("Join the Waitlist");
      expect(await texts()).toEqual(typed);
      await expect(page.getByRole("checkbox")).toBeChecked();
      await expectToastFor5Seconds(page);
    }
    await expectSeen(button(page));
    [status, body] = [201, SUCCESS];
    await field(page, "Company").press("Enter");
    await runUntilToast(page);
    await expectToast(page, "default", ...JOINED);
    await onEachScreen(page, () => expectSeen(toast(page).locator("> :not(button)")));
    await expectToastFor5Seconds(page);
    await expect(page.getByText("Successfully Joined!")).toBeVisible();
  });
}

test("at most one toast is visible: a new one replaces it, stays for 5000 ms and then closes", async ({ page }) => {
  const counts: number[] = [];
  await page.exposeFunction("recordCount", (count: number) => counts.push(count));
  await page.addInitScript(() => {
    const { recordCount } = window as unknown as { recordCount(count: number): void };
    new MutationObserver(() => recordCount(document.querySelectorAll(".toast").length)).observe(document, {
      childList: true,
      subtree: true,
    });
  });
  await openToFail(page);
  await failToJoin(page);
  await page.clock.runFor(2000);
  for (const name of ["Blog", "Careers", "Status"]) {
    // Uses the keyboard, because the mouse would keep a toast under it from closing.
    await page
      .locator("footer")
      .getByRole("link", { name })
      .evaluate((link: HTMLElement) => link.click());
    await expect(toast(page)).toHaveCount(1);
    await expect(toast(page)).toContainText(`Coming at launch: ${name}`);
  }
  expect(Math.max(...counts)).toBe(1);
  await expectToast(page, "default", "Coming at launch: Status", "Join the waitlist for early access.");
  await expectExactly5Seconds(page);
});

test("after a dismissed one, a toast stays for 5000 ms and then closes", async ({ page }) => {
  await openToFail(page);
  for (const keys of [[], ["F8", "Tab", "Tab", "Enter"], ["F8", "Tab", "Escape"]]) {
    await failToJoin(page);
    if (keys.length === 0) await page.getByRole("button", { name: "Dismiss" }).click();
    for (const key of keys) await page.keyboard.press(key);
    await expect(toast(page)).toHaveCount(0);
    await submit(page);
    await expect(toast(page)).toBeVisible();
    await expectExactly5Seconds(page);
  }
});
