import type { Page } from "@playwright/test";
import { createMessage } from "#core/mail/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expect, test } from "#tests/support/console.ts";
import { test as testWithMail } from "#tests/support/console-mail.ts";

const NEWS = { kind: "announcement", subject: "News", body: "Hi", audience: {}, pace: null } as const;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const open = (page: Page, path: string) => page.goto(`${new URL(page.url()).origin}${path}`);

/** Holds requests to this path back until the test lets them through. */
async function hold(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

testWithMail("while people are being added, nothing closes the dialog of a message", async ({ page, db }) => {
  const { id } = await createMessage(db, OPERATOR, NEWS);
  const release = await hold(page, "**/start");
  await open(page, `/messages/${id}?send`);
  await page.getByRole("button", { name: /^Send to \d/ }).click();
  await expect(page.getByText("Adding people")).toBeVisible();
  await expect(button(page, "Cancel")).toBeDisabled();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByText("Adding people")).toBeVisible();
  release();
  await expect(button(page, "Pause")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/messages/${id}$`));
});

testWithMail("an operator who went elsewhere while people are being added stays there", async ({ page, db }) => {
  const { id } = await createMessage(db, OPERATOR, NEWS);
  const release = await hold(page, "**/start");
  await open(page, `/messages/${id}`);
  await button(page, "Review and send…").click();
  await page.getByRole("button", { name: /^Send to \d/ }).click();
  await expect(page.getByText("Adding people")).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "People", exact: true }).click();
  const started = page.waitForResponse("**/start");
  release();
  await started;
  await page.waitForTimeout(500);
  await expect(page).toHaveURL(/\/people$/);
});

test("going back to another person leaves the dialog and the outcome of the one before", async ({ page, db }) => {
  await db.pool.query("update sign_ups set invited_at = null, wave_id = null");
  await open(page, "/people");
  const rows = page.locator(".row-link");
  await expect(rows.nth(2)).toBeVisible();
  const [first = "", second = ""] = await rows.allTextContents();
  await button(page, first).click();
  await button(page, second).click();
  await button(page, "Invite…").click();
  await button(page, "Invite").click();
  await expect(page.getByText("Invited.", { exact: true })).toBeVisible();
  await button(page, "Edit…").click();
  await page.getByLabel("First name").fill("Someone else's");
  await page.goBack();
  await expect(page.getByRole("dialog").getByText(first)).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Edit this person" })).toHaveCount(0);
  await expect(page.getByText("Invited.", { exact: true })).toHaveCount(0);
});
