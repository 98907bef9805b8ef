import type { Page } from "@playwright/test";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, fillIn, mockSignUpResponse, openReadyToSubmit, submit } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const NOTE = "If this is a new address, check your inbox to confirm it.";
const totals = { totalUsers: 1, companiesInterested: 1 };
const card = (page: Page) => page.getByRole("group", { name: "Successfully Joined!" });
const heightOf = async (page: Page) => (await page.locator("#waitlist").boundingBox())?.height;

async function joinWith(page: Page, response: object): Promise<void> {
  await mockSignUpResponse(page, 201, JSON.stringify(response));
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(card(page)).toBeVisible();
}

for (const width of [360, 1280]) {
  test(`with mail on, a note below the success card says to confirm, and nothing moves at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await mockSignUpResponse(page, 201, JSON.stringify({ data: totals, confirmByEmail: true }));
    await openReadyToSubmit(page);
    await fillIn(page, aSignUp());
    const form = await page.locator("form").boundingBox();
    const section = await heightOf(page);
    await expect(button(page)).toBeVisible();
    await submit(page);
    await expect(page.getByText(NOTE)).toBeVisible();
    await expect(card(page)).toHaveAccessibleDescription(NOTE);
    await expect(card(page)).not.toContainText(NOTE);
    expect(await heightOf(page)).toBe(section);
    const [joined, note] = [await card(page).boundingBox(), await page.getByText(NOTE).boundingBox()];
    expect([joined?.x, joined?.width]).toEqual([form?.x, form?.width]);
    expect(note?.y).toBeGreaterThan((joined?.y ?? 0) + (joined?.height ?? 0));
  });
}

test("the note is visible while motion is paused", async ({ page }) => {
  await mockSignUpResponse(page, 201, JSON.stringify({ data: totals, confirmByEmail: true }));
  await openReadyToSubmit(page);
  await page.getByRole("button", { name: /pause/i }).click();
  await fillIn(page, aSignUp());
  await submit(page);
  const note = page.locator(".confirm-note");
  await expect(note).toBeVisible();
  expect(await note.evaluate((element) => getComputedStyle(element).opacity)).toBe("1");
});

test("without the field, as from a server without mail or an older one, there is no note", async ({ page }) => {
  await joinWith(page, { data: totals });
  await expect(page.getByText(NOTE)).toHaveCount(0);
  expect(await card(page).getAttribute("aria-describedby")).toBeNull();
});
