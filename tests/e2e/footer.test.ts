import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, openReadyToSubmit, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("a visitor who has joined isn't told to join", async ({ page }) => {
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await page.locator("footer").getByRole("link", { name: "Pricing" }).click();
  await expect(toast(page)).toContainText("Coming at launch: Pricing");
  await expect(toast(page)).toContainText("You're on the waitlist. We'll be in touch with early access information.");
});
