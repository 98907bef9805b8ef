import type { Page } from "@playwright/test";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, field, fillIn, openReadyToSubmit, recordCalls, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

async function expectFailure(page: Page, email: string): Promise<void> {
  await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  await expect(button(page)).toBeEnabled();
  await expect(button(page)).toHaveText("Join the Waitlist");
  await expect(field(page, "Email")).toHaveValue(email);
  await expect(page.getByRole("checkbox")).toBeChecked();
}

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
  await expectFailure(page, ada.email);

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
  await page.route(`**${WAITLIST_PATH}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 17_000));
    await route.continue();
  });
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeInViewport({ timeout: 30_000 });
  await expect(toast(page)).toContainText("Successfully joined the waitlist!");
});
