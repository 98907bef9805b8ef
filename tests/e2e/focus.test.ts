import { WAITLIST_PATH } from "#contract/paths.ts";
import { button, field, openFilledIn, openPage, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("an error leaves focus in the field that Enter was pressed in, or gives it back to the button", async ({
  page,
}) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**${WAITLIST_PATH}`, async (route) => {
    await held;
    await route.fulfill({ status: 500 });
  });
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status: 500 }), { times: 1 });
  await openFilledIn(page);
  await field(page, "Company").press("Enter");
  await expect(toast(page)).toBeVisible();
  await expect(field(page, "Company")).toBeFocused();
  await expect(button(page)).toBeEnabled();

  await button(page).press("Enter");
  await expect(button(page)).toBeDisabled();
  await page.waitForFunction(() => document.activeElement === document.body);
  release();
  await expect(button(page)).toBeEnabled();
  await expect(button(page)).toBeFocused();
});

test("the first Tab shows a skip link, which leads past the navigation bar to the content", async ({ page }) => {
  await openPage(page);
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).not.toBeInViewport();
  await page.keyboard.press("Tab");
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link", { name: "Join the Waitlist" })).toBeFocused();
});

test("names in right-to-left scripts are written from right to left", async ({ page }) => {
  await openPage(page);
  await field(page, "First name").fill("עדה");
  await expect(field(page, "First name")).toHaveCSS("direction", "rtl");
  await field(page, "Last name").fill("Lovelace");
  await expect(field(page, "Last name")).toHaveCSS("direction", "ltr");
});
