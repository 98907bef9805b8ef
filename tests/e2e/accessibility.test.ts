import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, fillIn, mockSignUpResponse, openReadyToSubmit, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

/** Every state a visitor can see the page in, and the way there. */
const STATES: Record<string, (page: Page) => Promise<unknown>> = {
  "the landing page": (page) => openReadyToSubmit(page),
  "the not-found page": (page) => page.goto("/nothing-here"),
  "the form with errors": async (page) => {
    await openReadyToSubmit(page);
    await submit(page);
    await expect(page.getByText("First name is required")).toBeVisible();
  },
  "the form being sent": async (page) => {
    await page.route(`**${WAITLIST_PATH}`, () => {});
    await openReadyToSubmit(page);
    await fillIn(page, aSignUp());
    await submit(page);
    await expect(button(page)).toBeDisabled();
  },
  "the joined card": async (page) => {
    await openReadyToSubmit(page);
    await fillIn(page, aSignUp());
    await submit(page);
    await expect(page.getByText("Successfully Joined!")).toBeVisible();
  },
  "an error's toast": async (page) => {
    await mockSignUpResponse(page, 500, "");
    await openReadyToSubmit(page);
    await fillIn(page, aSignUp());
    await submit(page);
    await expect(toast(page)).toBeVisible();
    // Under the pointer a toast stays; axe needs the clock to run.
    await toast(page).hover();
  },
};

for (const width of [360, 1280]) {
  test.describe(`axe finds nothing at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, contextOptions: { reducedMotion: "reduce" } });

    for (const [state, reach] of Object.entries(STATES)) {
      test(`on ${state}`, async ({ page }) => {
        await reach(page);
        expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      });
    }
  });
}

test("axe finds nothing with the menu open", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 360, height: 740 });
  await openReadyToSubmit(page);
  await page.getByRole("button", { name: "Open menu" }).click();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test("in forced colours, buttons and fields keep an edge and the headline its words", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  const headline = page.getByText("Digital Future", { exact: true });
  const shown = await headline.evaluate((one) => getComputedStyle(one).color);
  expect(shown).not.toBe("rgba(0, 0, 0, 0)");
  for (const edge of [button(page), page.getByRole("textbox").first()]) {
    expect(await edge.evaluate((one) => getComputedStyle(one).borderTopWidth)).not.toBe("0px");
  }
});
