import * as content from "#brand/content.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, field, fillIn, joinedTitle, openFilledIn, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("an error in the footer leaves its links and texts, and the form joins", async ({ page }) => {
  await openFilledIn(page);
  const text = await page.locator("footer").textContent();
  // Makes React fail, because it can't replace an icon that is gone.
  await page.locator("footer button svg").evaluate((icon) => icon.remove());
  await page.getByRole("button", { name: content.pauseMotion }).click();
  await expect(page.locator("footer > *")).toHaveCount(1);
  await expect(page.locator("footer")).toHaveText(text ?? "");
  await expect(page.locator("#features li")).toHaveCount(6);
  await submit(page);
  await expect(joinedTitle(page)).toBeVisible();
});

for (const [by, afterMs] of [
  ["a click", 0],
  ["Enter", 4500],
] as const) {
  test(`an error in the form leaves a form with what was typed, which the browser posts on ${by}`, async ({ page }) => {
    const ada = aSignUp({ company: "Acme", newsletter: true });
    // Uses the real clock, because a fake one hides the redirect from the next page.
    await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/")]);
    await fillIn(page, ada);
    // By then, the timer that lets Enter post the first form has run.
    await page.waitForTimeout(afterMs);
    // Makes React fail to put an error below a field.
    await page.evaluate(() => {
      HTMLElement.prototype.appendChild = () => {
        Reflect.deleteProperty(HTMLElement.prototype, "appendChild");
        throw new Error("A broken extension");
      };
    });
    await field(page, "Last name").fill("");
    await submit(page);
    await expect(page.locator("#not-joined")).toBeAttached();
    await expect(page.getByRole("heading", { name: content.waitlistTitle })).toBeVisible();
    await expect(field(page, "Email")).toHaveValue(ada.email);
    await expect(page.getByRole("checkbox")).toBeChecked();
    await field(page, "Last name").fill(ada.lastName);
    const request = page.waitForRequest(`**${WAITLIST_PATH}`);
    if (by === "Enter") await field(page, "Last name").press("Enter");
    else await submit(page);
    expect(await (await request).headerValue("content-type")).toBe("application/x-www-form-urlencoded");
    const card = page.getByRole("group", { name: content.joinedTitle });
    await expect(card).toBeFocused();
    await expect(card).toBeInViewport();
  });
}

test("an error while hydrating leaves the prerendered section, and the browser posts its form", async ({ page }) => {
  await page.addInitScript(() => {
    Number.prototype.toLocaleString = () => {
      throw new Error("A broken polyfill");
    };
  });
  await page.goto("/");
  await expect(page.locator(".toast-viewport")).toBeAttached();
  await expect(page.getByRole("heading", { name: content.waitlistTitle })).toBeVisible();
  await page.getByRole("button", { name: content.pauseMotion }).click();
  await expect(page.getByRole("button", { name: content.resumeMotion })).toBeVisible();
  await expect(toast(page)).toHaveCount(0);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(joinedTitle(page)).toBeInViewport();
  await expect(button(page)).toBeHidden();
});
