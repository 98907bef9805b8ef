import type { Locator, Page } from "@playwright/test";
import * as content from "#brand/content.ts";
import { dark } from "#brand/tokens.ts";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { computedColor, expectSeen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  field,
  mockSignUpResponse,
  openFilledIn,
  pauseClock,
  runUntilToast,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("with mail on, a note below the card says to confirm, and nothing moves", async ({ page }) => {
  await mockSignUpResponse(page, 201, JSON.stringify({ data: {}, confirmByEmail: true }));
  const ada = aSignUp();
  await openFilledIn(page, ada);
  const section = page.locator("#waitlist");
  const [form, before] = [await page.locator("form").boundingBox(), await section.boundingBox()];
  await submit(page);
  const card = page.getByRole("group", { name: content.joinedTitle });
  const texts = [content.inboxTitle, ada.email, content.inboxText];
  const step = page.locator("#confirm-note > *");
  await expect(step).toHaveText(texts);
  await expect(card).toHaveAccessibleDescription(texts.join(" "));
  await expect(card).toHaveText(content.joinedTitle + content.joinedText);
  await expect(card.getByRole("heading")).toHaveCSS("color", computedColor(dark.good));
  await expect(toast(page)).toHaveText(content.joinedToast + content.joinedToastText);
  expect((await section.boundingBox())?.height).toBe(before?.height);
  const [joined, note] = [await card.boundingBox(), await step.first().boundingBox()];
  expect([joined?.x, joined?.width]).toEqual([form?.x, form?.width]);
  expect(note?.y).toBeGreaterThan((joined?.y ?? 0) + (joined?.height ?? 0));
  // On a phone, the toast is at the top and would cover the card if the page didn't scroll.
  const { y = 0, height = 0 } = (await toast(page).boundingBox()) ?? {};
  if ((page.viewportSize()?.width ?? 0) < 640) {
    await expect.poll(async () => (await card.boundingBox())?.y).toBeGreaterThanOrEqual(y + height);
  }
  await expectSeen(step);
  expect(await step.nth(1).evaluate((address) => Number.parseFloat(getComputedStyle(address).fontSize))).toBe(24);
});

test("the inbox is a link where the domain alone says which it is", async ({ page }) => {
  await mockSignUpResponse(page, 201, JSON.stringify({ data: {}, confirmByEmail: true }));
  const link = page.locator(".confirm-note a");
  for (const domain of ["hotmail.fr", "example.com"]) {
    await openFilledIn(page, aSignUp({ email: `ada@${domain}` }));
    await submit(page);
    await expect(page.getByRole("button", { name: content.sendAgain })).toBeVisible();
    await expect(link).toHaveText(domain === "hotmail.fr" ? ["Open Outlook"] : []);
    if (domain === "example.com") continue;
    await expect(link).toHaveAttribute("href", "https://outlook.live.com/mail/");
    await expect(link).toHaveAttribute("rel", "noreferrer");
    await expect(link).toHaveAttribute("target", "_blank");
  }
});

test("without its script, the note is left out, and the visitor joins", async ({ page }) => {
  await page.route("**/assets/email-help-*.js", (route) => route.abort());
  await mockSignUpResponse(page, 201, JSON.stringify({ data: {}, confirmByEmail: true }));
  await openFilledIn(page);
  await submit(page);
  await expect(page.getByRole("group", { name: content.joinedTitle })).toBeFocused();
  await expect(page.locator(".confirm-note")).toHaveCount(0);
});

/** From phones to large screens, including short ones. */
const SIZES = [
  [360, 740],
  [844, 390],
  [820, 1180],
  [1024, 600],
  [1440, 900],
  [2560, 1440],
] as const;

/** Expects these elements to be on the screen, not covered by the toast or the navigation bar. */
async function expectClear(page: Page, ...elements: Locator[]): Promise<void> {
  for (const element of elements) {
    await expect(async () => {
      const [box, over] = [await element.boundingBox(), await toast(page).boundingBox()];
      if (!box || !over) throw new Error("Not shown");
      expect(box.y).toBeGreaterThanOrEqual(64);
      expect(box.y + box.height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
      const isBeside = box.x + box.width <= over.x || over.x + over.width <= box.x;
      expect(isBeside || box.y + box.height <= over.y || over.y + over.height <= box.y).toBe(true);
    }).toPass();
  }
}

test("the toast covers neither the way to the inbox nor the way to a lost link", async ({ page }) => {
  const outcome = { status: 0, body: "" };
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill(outcome));
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    Object.assign(outcome, { status: 409, body: JSON.stringify({ detail: "already on the waitlist" }) });
    await openFilledIn(page, aSignUp({ email: "ada@gmail.com" }));
    await pauseClock(page);
    await field(page, "Company").press("Enter");
    await runUntilToast(page);
    await expectClear(page, button(page), page.getByRole("link", { name: "Get your link" }));
    await page.clock.runFor(6000);
    Object.assign(outcome, { status: 201, body: JSON.stringify({ data: {}, confirmByEmail: true }) });
    await field(page, "Company").press("Enter");
    await runUntilToast(page);
    await expectClear(page, page.getByText("ada@gmail.com"));
    // Only the smallest phone needs scrolling.
    if (width === 360) await page.locator(".confirm-note").evaluate((note) => note.scrollIntoView({ block: "end" }));
    await expectClear(page, page.getByRole("link", { name: "Open Gmail" }));
    await page.clock.resume();
  }
});
