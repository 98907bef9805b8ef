import { brand } from "#brand/brand.ts";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, openPage, openReadyToSubmit, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("a link to something that opens at launch invites a visitor to join the waitlist", async ({ page }) => {
  await openPage(page);
  await page.locator("footer").getByRole("link", { name: "Integrations" }).click();
  await expect(toast(page)).toContainText("Coming at launch: Integrations");
  await expect(toast(page)).toContainText("Join the waitlist for early access.");
});

test("a visitor who has joined isn't told to join", async ({ page }) => {
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await page.locator("footer").getByRole("link", { name: "Pricing" }).click();
  await expect(toast(page)).toContainText("Coming at launch: Pricing");
  await expect(toast(page)).toContainText("You're on the waitlist. We'll be in touch with early access information.");
});

test("a visitor whose address was on the waitlist already isn't told to join", async ({ page }) => {
  const ada = aSignUp();
  expect((await page.request.post(WAITLIST_PATH, { data: ada })).status()).toBe(201);
  await openReadyToSubmit(page);
  await fillIn(page, ada);
  await submit(page);
  await expect(toast(page)).toContainText("This email is already on our waitlist.");
  await page.locator("footer").getByRole("link", { name: "Pricing" }).click();
  await expect(toast(page)).toContainText("You're on the waitlist.");
});

test("Contact in the footer leads to the mail address", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPage(page);
  const contact = page.locator("footer").getByRole("link", { name: "Contact" });
  await expect(contact).toHaveAttribute("href", "#contact");
  await contact.click();
  await expect(page).toHaveURL(/#contact$/);
  await expect(page.locator("#contact")).toContainText(brand.mail);
  await expect(page.locator("#contact")).toBeInViewport();
  await expect(toast(page)).toHaveCount(0);
});
