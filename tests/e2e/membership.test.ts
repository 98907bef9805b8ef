import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import type { Database } from "#core/database/connect.ts";
import { createKeys } from "#core/keys.ts";
import { memberToken, unsubscribeToken } from "#core/members/links.ts";
import { post } from "#tests/support/post.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { expect, SECRET, test } from "./fixtures.ts";

// Visitors may block JavaScript, and so may the browser inside a mail client.
test.use({ javaScriptEnabled: false });

async function holder(origin: string, db: Database) {
  const ada = aSignUp({ company: "Acme", newsletter: true });
  await post(origin, ada);
  const columns = db.selectFrom("sign_ups").select(["id", "email_key"]);
  return columns.where("email", "=", ada.email).executeTakeFirstOrThrow();
}
const tomorrow = () => new Date(Date.now() + 86_400_000);
async function aMember(origin: string, db: Database): Promise<string> {
  return `${MEMBERSHIP_PATH}/${memberToken(createKeys(SECRET), await holder(origin, db), tomorrow())}`;
}
async function anUnsubscribeLink(origin: string, db: Database): Promise<string> {
  return `${UNSUBSCRIBE_PATH}/${unsubscribeToken(createKeys(SECRET), await holder(origin, db), tomorrow())}`;
}

/** Presses the button from the keyboard. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).focus();
  await page.keyboard.press("Enter");
}

test("a member confirms, unsubscribes, subscribes and leaves by keyboard, without JavaScript", async ({
  page,
  site,
  db,
}) => {
  await page.goto(await aMember(site.origin, db));
  await expect(page.getByRole("heading", { name: "Confirm your email address" })).toBeVisible();
  await press(page, "Confirm my address");
  await expect(page.getByText("confirmed")).toBeVisible();
  await press(page, "Unsubscribe");
  await expect(page.getByText(/You unsubscribed on/)).toBeVisible();
  await press(page, "Subscribe");
  await expect(page.getByText("You're subscribed.")).toBeVisible();

  // The button that erases can't be reached before the question is opened.
  await expect(page.getByRole("button", { name: "Erase everything" })).toBeHidden();
  await page.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Erase everything?")).toBeVisible();
  await page.getByRole("link", { name: "Keep my place" }).press("Enter");
  await expect(page.getByText("Erase everything?")).toBeHidden();
  await page.locator("summary").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "You've left the waitlist" })).toBeVisible();
});

test("a member corrects their details by keyboard, and a mistake is shown in its field", async ({ page, site, db }) => {
  await page.goto(await aMember(site.origin, db));
  await press(page, "Confirm my address");
  await expect(page.getByText("Your changes are saved.")).toBeHidden();
  const field = (label: string) => page.getByRole("textbox", { name: label });
  await field("Last name").fill("");
  await field("Company").fill("Globex");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Last name is required")).toBeVisible();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(field("Last name")).toBeFocused();
  await expect(field("Last name")).toHaveAccessibleDescription("Last name is required");
  await expect(field("Company")).toHaveValue("Globex");
  await field("Last name").fill("Hopper");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your changes are saved.")).toBeInViewport();
  await expect(field("Last name")).toHaveValue("Hopper");
  await expect(field("Company")).toHaveValue("Globex");
});

test("the link in a mail that only unsubscribes does so with one button", async ({ page, site, db }) => {
  await page.goto(await anUnsubscribeLink(site.origin, db));
  await press(page, "Unsubscribe");
  await expect(page.getByRole("heading", { name: "You're unsubscribed" })).toBeVisible();
  await page.getByRole("link", { name: "get your link" }).click();
  await expect(page.getByRole("heading", { name: "Get your link" })).toBeVisible();
});

test("the privacy text leads to the page for a lost link", async ({ page }) => {
  await page.goto("/#privacy");
  await page.getByRole("link", { name: "Email me my link" }).click();
  await expect(page.getByRole("heading", { name: "Get your link" })).toBeVisible();
});

test.describe("the member page in every state", () => {
  // axe needs JavaScript.
  test.use({ javaScriptEnabled: true });

  for (const width of [360, 700, 1280]) {
    test(`has no axe violations and fits a screen of ${width} px`, async ({ page, site, db }) => {
      await page.setViewportSize({ width, height: 800 });
      const messages: string[] = [];
      page.on("console", (message) => messages.push(message.text()));
      const address = await aMember(site.origin, db);
      for (const [heading, reach] of Object.entries({
        "Confirm your email address": () => page.goto(address),
        "You're on the list": () => press(page, "Confirm my address"),
        "Your details": async () => {
          await page.getByRole("textbox", { name: "First name" }).fill("");
          await press(page, "Save changes");
          await page.locator("summary").click();
        },
        Unsubscribe: async () => page.goto(await anUnsubscribeLink(site.origin, db)),
        "Get your link": () => page.goto(MEMBERSHIP_PATH),
        "This link doesn't work anymore": () => page.goto(`${MEMBERSHIP_PATH}/nothing`),
      })) {
        await reach();
        await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
        expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
      // The browser may log only the 400 of the invalid details and the 404 of the invalid link.
      expect(messages.filter((text) => !/40[04]/.test(text))).toEqual([]);
    });
  }
});
