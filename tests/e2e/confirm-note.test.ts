import { dark } from "#brand/tokens.ts";
import { computedColor, expectSeen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { JOINED, mockSignUpResponse, openFilledIn, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("with mail on, a note below the card says to confirm, and nothing moves", async ({ page }) => {
  await mockSignUpResponse(page, 201, JSON.stringify({ data: {}, confirmByEmail: true }));
  const ada = aSignUp();
  const NOTE = `Check your inbox. If ${ada.email} is new here, its link is on the way.`;
  await openFilledIn(page, ada);
  const section = page.locator("#waitlist");
  const [form, before] = [await page.locator("form").boundingBox(), await section.boundingBox()];
  await submit(page);
  const card = page.getByRole("group", { name: "Successfully Joined!" });
  await expect(page.getByText(NOTE)).toBeVisible();
  await expect(card).toHaveAccessibleDescription(NOTE);
  await expect(card).toHaveText(`Successfully Joined!${JOINED}`);
  await expect(card.getByRole("heading")).toHaveCSS("color", computedColor(dark.good));
  await expect(toast(page)).toContainText("Successfully joined the waitlist!");
  expect((await section.boundingBox())?.height).toBe(before?.height);
  const [joined, note] = [await card.boundingBox(), await page.getByText(NOTE).boundingBox()];
  expect([joined?.x, joined?.width]).toEqual([form?.x, form?.width]);
  expect(note?.y).toBeGreaterThan((joined?.y ?? 0) + (joined?.height ?? 0));
  // The toast doesn't cover the card: on a phone it is above the card, once the page has scrolled; on a wide screen below.
  const { y = 0, height = 0 } = (await toast(page).boundingBox()) ?? {};
  if ((page.viewportSize()?.width ?? 0) < 640) {
    await expect.poll(async () => (await card.boundingBox())?.y).toBeGreaterThanOrEqual(y + height);
  }
  await expectSeen(page.getByText(NOTE));
});
