import * as content from "#brand/content.ts";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { expectNoViolations } from "#tests/support/axe.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { field, fillIn, joinedTitle, openFullyLoaded } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("a misspelled domain gets a hint that corrects it, is announced, and is no error", async ({ page }) => {
  await openFullyLoaded(page, "/");
  const hint = page.locator("#waitlist form [role=status]");
  await expect(hint).toBeAttached();
  const height = async () => (await page.locator("#waitlist form").boundingBox())?.height;
  const before = await height();
  await field(page, "Email").pressSequentially("ada@gmail.co");
  await expect(hint).toBeEmpty();
  await field(page, "Email").press("Tab");
  await expect(hint).toHaveText("Did you mean ada@gmail.com?");
  await field(page, "Email").fill("Ada@gmial.com");
  await expect(hint).toHaveText("Did you mean Ada@gmail.com?");
  await expect(field(page, "Email")).toHaveAttribute("aria-invalid", "false");
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Ada@gmail.com" }).click();
  await expect(field(page, "Email")).toHaveValue("Ada@gmail.com");
  await expect(field(page, "Email")).toBeFocused();
  await expect(hint).toBeEmpty();
  expect(await height()).toBe(before);
});

test("a hint doesn't block the form, nor move its button as someone clicks it", async ({ page }) => {
  await openFullyLoaded(page, "/");
  await page.waitForTimeout(3000);
  const ada = aSignUp({ email: "ada@gmail.co" });
  const sent = page.waitForRequest(`**${WAITLIST_PATH}`);
  await fillIn(page, { ...ada, company: "" });
  await field(page, "Email").focus();
  const button = page.getByRole("button", { name: content.join });
  await button.hover();
  const before = await button.boundingBox();
  await page.mouse.down();
  // The button itself moves by a pixel when pressed.
  expect(Math.abs(((await button.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(1);
  await page.mouse.up();
  expect((await sent).postDataJSON()).toMatchObject({ email: "ada@gmail.co" });
  await expect(joinedTitle(page)).toBeVisible();
});
