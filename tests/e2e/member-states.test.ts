import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { memberToken, unsubscribeToken } from "#core/members/links.ts";
import { MAIL_SECRET, type MailSite } from "#tests/support/mail-site.ts";
import { post } from "#tests/support/post.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { expect, test } from "./mail-fixtures.ts";

/** A member of their own, with the URLs of the mail to them. */
async function aMember({ site, db }: MailSite) {
  const ada = aSignUp({ company: "Acme", newsletter: true });
  await post(site.origin, ada);
  const columns = db.selectFrom("sign_ups").select(["id", "email_key"]);
  const holder = await columns.where("email", "=", ada.email).executeTakeFirstOrThrow();
  const [keys, tomorrow] = [createKeys(MAIL_SECRET), new Date(Date.now() + 86_400_000)];
  return {
    id: holder.id,
    page: `${site.origin}${MEMBERSHIP_PATH}/${memberToken(keys, holder, tomorrow)}`,
    unsubscribe: `${site.origin}${UNSUBSCRIBE_PATH}/${unsubscribeToken(keys, holder, tomorrow)}`,
  };
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const field = (page: Page, label: string) => page.getByRole("textbox", { name: label });

/** Its styles depend on the width or on the color scheme, not on both. */
const SCREENS = [
  { width: 360, colorScheme: "light" },
  { width: 700, colorScheme: "dark" },
] as const;

test("every state of the member pages has no axe violations and fits the screen, in light and dark mode", async ({
  page,
  mailSite,
}) => {
  // Fifteen states, each with two axe runs.
  test.slow();
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  const { id, ...urls } = await aMember(mailSite);
  // Each state, by a text that only it has, and how to reach it from the one before.
  for (const [text, reach] of Object.entries({
    "Confirm your email address": () => page.goto(urls.page),
    "You're on the list": () => press(page, "Confirm my address"),
    "First name is required": async () => {
      await field(page, "First name").fill("");
      await press(page, "Save changes");
    },
    "Your changes are saved.": async () => {
      await field(page, "First name").fill("Grace");
      await press(page, "Save changes");
    },
    "Our emails to you come back": async () => {
      await mailSite.db.pool.query("update sign_ups set rejected_at = now() where id = $1", [id]);
      await page.goto(urls.page);
    },
    "You unsubscribed on": () => press(page, "Unsubscribe"),
    "You're invited": async () => {
      await mailSite.db.pool.query("update sign_ups set invited_at = now() where id = $1", [id]);
      await page.goto(urls.page);
    },
    "We'll stop sending you product news": () => page.goto(urls.unsubscribe),
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
    "You've left the waitlist": () => press(page, "Erase everything"),
    "This link doesn't work anymore": () => page.goto(urls.page),
  })) {
    await reach();
    await expect(page.getByText(text)).toBeVisible();
    for (const { width, colorScheme } of SCREENS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  }
  // The browser may log only the 400s of invalid fields and the 404 of the invalid link.
  expect(messages.filter((message) => !/40[04]/.test(message))).toEqual([]);
});
