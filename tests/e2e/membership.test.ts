import type { Page } from "@playwright/test";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
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
