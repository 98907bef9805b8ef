import type { Page } from "@playwright/test";
import { prepareMessage } from "#core/messages/audience.ts";
import { startMessage } from "#core/messages/message-states.ts";
import { createMessage } from "#core/messages/messages.ts";
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

function failOnce(page: Page, path: string): Promise<unknown> {
  const response = { status: 503, json: { detail: "Can't reach the database." } };
  return page.route(path, (route) => route.fulfill(response), { times: 1 });
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

test("after Save and after an invitation, the focus is on the button that opened the dialog", async ({ page, db }) => {
  await db.pool.query("update sign_ups set invited_at = null, wave_id = null where id = 700");
  await open(page, "/people/700");
  await button(page, "Edit…").press("Enter");
  await page.getByLabel("First name").fill("Augusta");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /^Augusta / })).toBeVisible();
  await expect(button(page, "Edit…")).toBeFocused();
  await button(page, "Invite…").press("Enter");
  await button(page, "Invite").press("Enter");
  await expect(page.getByText("Invited.", { exact: true })).toBeVisible();
  await expect(button(page, "Take back invitation")).toBeFocused();
});

test("after a person's panel closes, the focus is on their row", async ({ page }) => {
  await open(page, "/people");
  const row = page.locator(".row-link").nth(3);
  for (const close of ["Escape", "Enter"]) {
    await row.press("Enter");
    await expect(button(page, "Close")).toBeFocused();
    await expect(page.getByRole("heading", { name: "Consent" })).toBeVisible();
    await page.keyboard.press(close);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(row).toBeFocused();
  }
});

test("a refused invitation is explained in its dialog", async ({ page, db }) => {
  await db.pool.query("update sign_ups set invited_at = null, wave_id = null where id = 700");
  await open(page, "/people/700");
  await button(page, "Invite…").click();
  await db.pool.query("update sign_ups set invited_at = now() where id = 700");
  await button(page, "Invite").click();
  const dialog = page.getByRole("dialog", { name: "Invite this person?" });
  await expect(dialog.getByRole("alert")).toHaveText("They are invited already, or have left.");
  await expect(page.getByRole("alert")).toHaveCount(1);
});

test("a failed drop is explained in its dialog, and not beside a release that worked", async ({ page }) => {
  await failOnce(page, "**/drop");
  await open(page, "/quarantine");
  await page.getByRole("checkbox").nth(1).check();
  await button(page, "Drop…").click();
  await button(page, "Drop").click();
  const dialog = page.getByRole("dialog", { name: "Drop 1 entry?" });
  await expect(dialog.getByRole("alert")).toHaveText("Can't reach the database.");
  await page.keyboard.press("Escape");
  await button(page, "Release").click();
  await expect(page.getByText("Released 1 entry")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("an edit leaves alone what someone else has changed meanwhile", async ({ page, db }) => {
  await open(page, "/people/700");
  await button(page, "Edit…").click();
  await page.getByLabel("First name").fill("Augusta");
  await db.pool.query("update sign_ups set last_name = 'King' where id = 700");
  await button(page, "Save").click();
  await expect(page.getByRole("heading", { name: "Augusta King" })).toBeVisible();
});

testWithMail("a message is canceled after a question, which also says if that failed", async ({ page, db }) => {
  const { id } = await createMessage(db, OPERATOR, NEWS);
  await prepareMessage(db, OPERATOR, id);
  await startMessage(db, OPERATOR, id);
  await failOnce(page, "**/cancel");
  await open(page, `/messages/${id}`);
  await button(page, "Cancel message…").click();
  const dialog = page.getByRole("dialog", { name: "Cancel this message?" });
  await button(page, "Cancel message").click();
  await expect(dialog.getByRole("alert")).toHaveText("Can't reach the database.");
  await button(page, "Go back").click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await button(page, "Cancel message…").click();
  await button(page, "Cancel message").click();
  await expect(page.getByText("Canceled", { exact: true })).toBeVisible();
});
