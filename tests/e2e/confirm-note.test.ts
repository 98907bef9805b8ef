import { mockSignUpResponse, openFilledIn, submit } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const NOTE = "If this is a new address, check your inbox to confirm it.";

for (const width of [360, 1280]) {
  test(`with mail on, a note below the card says to confirm, and nothing moves at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await mockSignUpResponse(page, 201, JSON.stringify({ data: {}, confirmByEmail: true }));
    await openFilledIn(page);
    const section = page.locator("#waitlist");
    const [form, before] = [await page.locator("form").boundingBox(), await section.boundingBox()];
    await submit(page);
    const card = page.getByRole("group", { name: "Successfully Joined!" });
    await expect(page.getByText(NOTE)).toBeVisible();
    await expect(card).toHaveAccessibleDescription(NOTE);
    await expect(card).not.toContainText(NOTE);
    expect((await section.boundingBox())?.height).toBe(before?.height);
    const [joined, note] = [await card.boundingBox(), await page.getByText(NOTE).boundingBox()];
    expect([joined?.x, joined?.width]).toEqual([form?.x, form?.width]);
    expect(note?.y).toBeGreaterThan((joined?.y ?? 0) + (joined?.height ?? 0));
  });
}
