import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import type { Database } from "#core/database/connect.ts";
import { createKeys } from "#core/keys.ts";
import { memberToken } from "#core/members/links.ts";
import { post } from "#tests/support/post.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { expect, SECRET, test } from "./fixtures.ts";

// Visitors may block JavaScript, and so may the browser inside a mail client.
test.use({ javaScriptEnabled: false });

async function aMember(origin: string, db: Database, ada = aSignUp({ company: "Acme" })): Promise<string> {
  await post(origin, ada);
  const member = await db
    .selectFrom("sign_ups")
    .select(["id", "email_key"])
    .where("email", "=", ada.email)
    .executeTakeFirstOrThrow();
  return `${MEMBERSHIP_PATH}/${memberToken(createKeys(SECRET), member, new Date(Date.now() + 86_400_000))}`;
}

/** Presses the button from the keyboard. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).focus();
  await page.keyboard.press("Enter");
}

test("a member confirms, subscribes, unsubscribes and leaves by keyboard, without JavaScript", async ({
  page,
  site,
  db,
}) => {
  await page.goto(await aMember(site.origin, db));
  await expect(page.getByRole("heading", { name: "Is this your address?" })).toBeVisible();
  await press(page, "Confirm my address");
  await expect(page.getByText("confirmed")).toBeVisible();
  await press(page, "Send me news");
  await expect(page.getByText("you agreed to:")).toBeVisible();
  await press(page, "Stop sending me news");
  await expect(page.getByText(/You stopped it on/)).toBeVisible();
  await press(page, "Leave and erase my data");
  await expect(page.getByRole("heading", { name: "You have left" })).toBeVisible();
});

test.describe("the member page in every state", () => {
  // axe needs JavaScript.
  test.use({ javaScriptEnabled: true });

  for (const width of [360, 1280]) {
    test(`has no axe violations and fits a screen of ${width} px`, async ({ page, site, db }) => {
      await page.setViewportSize({ width, height: 800 });
      const messages: string[] = [];
      page.on("console", (message) => messages.push(message.text()));
      const address = await aMember(site.origin, db);
      for (const [heading, reach] of Object.entries({
        "Is this your address?": () => page.goto(address),
        "You are on the list": () => press(page, "Confirm my address"),
        "This link doesn't work any more": () => page.goto(`${MEMBERSHIP_PATH}/nothing`),
      })) {
        await reach();
        await expect(page.getByRole("heading", { name: heading })).toBeVisible();
        expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
      // The browser may log only the 404 of the invalid link.
      expect(messages.filter((text) => !text.includes("404"))).toEqual([]);
    });
  }
});
