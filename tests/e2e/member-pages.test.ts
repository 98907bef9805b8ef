import type { Page } from "@playwright/test";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { createToken } from "#core/links/links.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { MAIL_SECRET, type MailSite } from "#tests/support/mail-site.ts";
import { post } from "#tests/support/post.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { expect, test } from "./mail-fixtures.ts";

/** A new member, with the URLs from their mail. */
async function aMember({ site, db }: MailSite) {
  const ada = aSignUp({ company: "Acme", newsletter: true });
  await post(site.origin, ada);
  const columns = db.selectFrom("sign_ups").select(["id", "email_key"]);
  const person = await columns.where("email", "=", ada.email).executeTakeFirstOrThrow();
  const [keys, tomorrow] = [createKeys(MAIL_SECRET), new Date(Date.now() + 86_400_000)];
  return {
    id: person.id,
    page: `${site.origin}${MEMBERSHIP_PATH}/${createToken("membership", keys, person, tomorrow)}`,
    unsubscribe: `${site.origin}${UNSUBSCRIBE_PATH}/${createToken("unsubscribe", keys, person, tomorrow)}`,
  };
}

/** Presses a button with the keyboard. */
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
const field = (page: Page, label: string) => page.getByRole("textbox", { name: label });

test.describe("without JavaScript", () => {
  // Visitors or a mail client's browser may block JavaScript.
  test.use({ javaScriptEnabled: false });

  test("a member confirms, edits, unsubscribes, subscribes and leaves, by keyboard", async ({ page, mailSite }) => {
    await page.goto((await aMember(mailSite)).page);
    await expect(page.getByRole("heading", { name: "Confirm your email address" })).toBeVisible();
    await press(page, "Confirm my address");
    await expect(page.getByText("Thank you. Your address is confirmed.")).toBeFocused();
    await expect(page.getByRole("status")).toHaveCount(1);

    // An error is shown at its field.
    await field(page, "Last name").fill("");
    await field(page, "Company").fill("Globex");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Last name is required")).toBeVisible();
    await expect(page).toHaveTitle(/^Error: /);
    await expect(field(page, "Last name")).toBeFocused();
    await expect(field(page, "Last name")).toHaveAccessibleDescription("Last name is required");
    await expect(field(page, "Company")).toHaveValue("Globex");
    await field(page, "Last name").fill("Hopper");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Your changes are saved.")).toBeFocused();
    await expect(page.getByText("Your changes are saved.")).toBeInViewport();
    await expect(field(page, "Last name")).toHaveValue("Hopper");
    await expect(field(page, "Company")).toHaveValue("Globex");

    await press(page, "Unsubscribe");
    await expect(page.getByText("Done. We won't send you product news.")).toBeFocused();
    await expect(page.getByText(/You unsubscribed on/)).toBeInViewport();
    await press(page, "Subscribe");
    await expect(page.getByText("Thank you for subscribing.")).toBeFocused();
    await expect(page.getByText("You're subscribed.")).toBeInViewport();

    // The button that erases is hidden until the member opens the confirmation.
    await expect(page.getByRole("button", { name: "Erase everything" })).toBeHidden();
    await page.locator("summary").press("Enter");
    await expect(page.getByText("Erase everything?")).toBeVisible();
    await page.getByRole("link", { name: "Keep my place" }).press("Enter");
    await expect(page.getByText("Erase everything?")).toBeHidden();
    await page.locator("summary").press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "You've left the waitlist" })).toBeVisible();
  });
});

test("every state of the member pages has no axe violations and fits a phone", async ({ page, mailSite }) => {
  // Nineteen states, each with two axe runs.
  test.slow();
  await page.setViewportSize({ width: 360, height: 800 });
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  const { id, ...urls } = await aMember(mailSite);
  // Maps each state's unique text to the step that reaches it from the previous state.
  for (const [text, reach] of Object.entries({
    "Confirm your email address": () => page.goto(urls.page),
    "Thank you. Your address is confirmed.": () => press(page, "Confirm my address"),
    "You're on the list": () => page.goto(urls.page),
    "We don't count people who join through your link": async () => {
      await mailSite.db.pool.query("update sign_ups set friends = null where id = $1", [id]);
      await page.reload();
    },
    "Everything we store about you": () => page.getByRole("link", { name: "Read my data" }).click(),
    "First name is required": async () => {
      await page.getByRole("link", { name: "Back to your page" }).click();
      await field(page, "First name").fill("");
      await press(page, "Save changes");
    },
    "Your changes are saved.": async () => {
      await field(page, "First name").fill("Grace");
      await press(page, "Save changes");
    },
    "Our emails to you are bouncing": async () => {
      await mailSite.db.pool.query("update sign_ups set suppressed_at = now() where id = $1", [id]);
      await page.goto(urls.page);
    },
    "You unsubscribed on": () => press(page, "Unsubscribe"),
    "You're invited": async () => {
      await press(page, "Confirm my address");
      await inviteNext(mailSite.db, OPERATOR, {}, 100);
      await page.goto(urls.page);
    },
    "We'll stop sending you product news": async () => {
      await press(page, "Subscribe");
      await page.goto(urls.unsubscribe);
    },
    "You're unsubscribed": () => press(page, "Unsubscribe"),
    "Get your link": () => page.getByRole("link", { name: "get your link" }).click(),
    "Please enter a valid email address": () => press(page, "Email me my link"),
    "Check your inbox": async () => {
      await field(page, "Email").fill("nobody@example.com");
      await press(page, "Email me my link");
    },
    "Erase everything?": async () => {
      await page.goto(urls.page);
      await page.locator("summary").click();
    },
    "We've erased your data": () => press(page, "Erase everything"),
    "This link doesn't work anymore": () => page.goto(urls.page),
  })) {
    await reach();
    await expect(page.getByText(text)).toBeVisible();
    await expectNoViolationsLightAndDark(page, text);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  }
  // The browser may log only the 400s of invalid fields and the 404 of the invalid link.
  expect(messages.filter((message) => !/40[04]/.test(message))).toEqual([]);
});
