import * as content from "#brand/content.ts";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { expectNoViolations } from "#tests/support/axe.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, fillIn, openReadyToSubmit, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("axe reports no violations on either page, in the menu and in any state of the form", async ({ page }) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status: 500 }), { times: 1 });
  await openReadyToSubmit(page);
  await expectNoViolations(page, "a wide screen");
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoViolations(page, "a phone");
  await page.getByRole("button", { name: content.openMenu }).click();
  await expectNoViolations(page, "the menu");
  await page.keyboard.press("Escape");

  await submit(page);
  await expect(page.getByText("First name is required")).toBeVisible();
  await expectNoViolations(page, "the form with errors");
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(toast(page)).toBeVisible();
  // Hovers to keep the toast open, because pausing the clock would stop axe.
  await toast(page).hover();
  await expectNoViolations(page, "an error");

  await page.route(`**${WAITLIST_PATH}`, async (route) => {
    await held;
    await route.fulfill({ status: 201, json: { data: {}, confirmByEmail: true } });
  });
  await submit(page);
  await expect(button(page)).toBeDisabled();
  await expectNoViolations(page, "while submitting");
  release();
  await expect(page.getByText("check your inbox")).toBeVisible();
  await expectNoViolations(page, "the success card with the note below it");
  await page.goto("/nothing-here");
  await expectNoViolations(page, "the not-found page");
});

test("in forced-colors mode, buttons and fields keep a border and the headline stays visible", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  const headline = page.getByText(content.headline[1], { exact: true });
  const color = await headline.evaluate((element) => getComputedStyle(element).color);
  expect(color).not.toBe("rgba(0, 0, 0, 0)");
  for (const control of [button(page), page.getByRole("textbox").first()]) {
    expect(await control.evaluate((element) => getComputedStyle(element).borderTopWidth)).not.toBe("0px");
  }
});
