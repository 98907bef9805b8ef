import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, fillIn, mockSignUpResponse, openReadyToSubmit, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

/** Every state that a visitor can see, and how to reach it. */
const STATES: Record<string, (page: Page) => Promise<unknown>> = {
  "the landing page": (page) => openReadyToSubmit(page),
  "the not-found page": (page) => page.goto("/nothing-here"),
  "the form with errors": async (page) => {
    await openReadyToSubmit(page);
    await submit(page);
    await expect(page.getByText("First name is required")).toBeVisible();
  },
  "the form while submitting": async (page) => {
    await page.route(`**${WAITLIST_PATH}`, () => {});
    await openReadyToSubmit(page);
    await fillIn(page, aSignUp());
    await submit(page);
    await expect(button(page)).toBeDisabled();
  },
  "the success card": async (page) => {
    await openReadyToSubmit(page);
    await fillIn(page, aSignUp());
    await submit(page);
    await expect(page.getByText("Successfully Joined!")).toBeVisible();
  },
  "the success card with the note below it": async (page) => {
    await mockSignUpResponse(page, 201, JSON.stringify({ data: {}, confirmByEmail: true }));
    await openReadyToSubmit(page);
    await fillIn(page, aSignUp());
    await submit(page);
    await expect(page.getByText("check your inbox")).toBeVisible();
  },
  "an error toast": async (page) => {
    await mockSignUpResponse(page, 500, "");
    await openReadyToSubmit(page);
    await fillIn(page, aSignUp());
    await submit(page);
    await expect(toast(page)).toBeVisible();
    // axe needs a running clock, and hovering keeps the toast from closing.
    await toast(page).hover();
  },
};

for (const width of [360, 1280]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, contextOptions: { reducedMotion: "reduce" } });

    for (const [state, reach] of Object.entries(STATES)) {
      test(`axe reports no violations on ${state}`, async ({ page }) => {
        await reach(page);
        expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      });
    }
  });
}

test("axe reports no violations with the mobile menu open", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 360, height: 740 });
  await openReadyToSubmit(page);
  await page.getByRole("button", { name: "Open menu" }).click();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test("in forced-colors mode, buttons and fields keep a border and the headline stays visible", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  const headline = page.getByText("Digital Future", { exact: true });
  const color = await headline.evaluate((element) => getComputedStyle(element).color);
  expect(color).not.toBe("rgba(0, 0, 0, 0)");
  for (const control of [button(page), page.getByRole("textbox").first()]) {
    expect(await control.evaluate((element) => getComputedStyle(element).borderTopWidth)).not.toBe("0px");
  }
});
