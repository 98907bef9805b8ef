import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  field,
  fillIn,
  holdRequests,
  openFilledIn,
  openReadyToSubmit,
  recordCalls,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("a form submitted offline shows the error toast, and nothing is sent once the visitor is online again", async ({
  page,
  context,
}) => {
  const ada = aSignUp({ newsletter: true });
  await openReadyToSubmit(page);
  await expect(page.locator(".toast-viewport")).toBeAttached();
  await fillIn(page, ada);
  await context.setOffline(true);
  await submit(page);
  await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  await expect(button(page)).toBeEnabled();
  await expect(button(page)).toHaveText("Join the Waitlist");
  await expect(field(page, "Email")).toHaveValue(ada.email);
  await expect(page.getByRole("checkbox")).toBeChecked();

  const calls = recordCalls(page);
  await context.setOffline(false);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.clock.fastForward("01:00");
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  expect(calls).toEqual([]);
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
});

test("a sign-up that is answered after 17 s succeeds", async ({ page }) => {
  // The browser's own timeouts follow the test's clock too.
  await page.addInitScript(() => {
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException("Timed out", "TimeoutError")), ms);
      return controller.signal;
    };
  });
  const answer = await holdRequests(page, `**${WAITLIST_PATH}`);
  await openFilledIn(page);
  await submit(page);
  await expect(button(page)).toBeDisabled();
  await page.clock.fastForward(17_000);
  answer();
  await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeInViewport();
  await expect(toast(page)).toContainText("Successfully joined the waitlist!");
});
