import { expect, type Page } from "@playwright/test";
import { readMessage } from "#core/messages/messages.ts";
import { createMessage, editMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expectNoViolations } from "#tests/support/axe.ts";
import { button, open, refetch } from "#tests/support/console.ts";
import { test } from "#tests/support/console-mail.ts";
import { NEWS } from "#tests/support/messages.ts";
import { holdRequests } from "#tests/support/visitor.ts";

const COLLEAGUE = { name: "grace", via: "command line" } as const;

const body = (page: Page) => page.getByLabel("Body, in Markdown");
const subject = (page: Page) => page.getByLabel("Subject");

test("a draft shows a colleague's changes, and never overwrites them unseen", async ({ page, db }) => {
  const draft = await createMessage(db, OPERATOR, NEWS);
  const { id } = draft;
  await open(page, `messages/${id}`);
  await expect(subject(page)).toHaveValue("News");
  const old = await editMessage(db, COLLEAGUE, draft, { subject: "Old news" });
  await refetch(page);
  await expect(subject(page)).toHaveValue("Old news");

  await body(page).fill("Hello");
  const good = await editMessage(db, COLLEAGUE, old, { subject: "Good news" });
  await refetch(page);
  const warning = page.getByRole("alert");
  await expect(warning).toContainText("Someone else changed the subject.");
  await page.reload();
  await expect(warning).toContainText("Someone else changed the subject.");
  await expect(body(page)).toHaveValue("Hello");
  await expectNoViolations(page);
  await button(page, "Undo changes").click();
  await expect(subject(page)).toHaveValue("Good news");
  await expect(warning).toHaveCount(0);

  await body(page).fill("Hello again");
  await editMessage(db, COLLEAGUE, good, { audience: { company: "Acme" } });
  await button(page, "Save").click();
  await expect(warning).toContainText("Someone else changed the audience.");
  await expect(body(page)).toHaveValue("Hello again");
  await button(page, "Show their version").click();
  await expect(button(page, "Company: Acme")).toBeVisible();
  await page.reload();
  await button(page, "Back to mine").click();
  await expect(button(page, "Company: Acme")).toHaveCount(0);
  expect(await readMessage(db, id)).toMatchObject({ body: NEWS.body, audience: { company: "Acme" } });
  await button(page, "Save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(warning).toHaveCount(0);
  expect(await readMessage(db, id)).toMatchObject({ subject: "Good news", body: "Hello again", audience: {} });
});

test("a draft that a colleague edits while its dialog is open isn't sent", async ({ page, db }) => {
  const draft = await createMessage(db, OPERATOR, NEWS);
  await open(page, `messages/${draft.id}?send`);
  const dialog = page.getByRole("dialog");
  const send = dialog.getByRole("button", { name: /^Send to \d/ });
  await send.waitFor();
  await editMessage(db, OPERATOR, draft, { subject: "Bad news" });
  await refetch(page);
  await expect(dialog).toContainText("Bad news");
  await send.click();
  await expect(dialog.getByRole("alert")).toContainText("because someone edited it");
  expect(await readMessage(db, draft.id)).toMatchObject({ state: "draft", preparedAt: null });
});

test("unsaved text survives a reload, and is sent only after a confirmation", async ({ page, db }) => {
  await open(page, "messages/new?kind=announcement");
  await subject(page).fill("We're live");
  await body(page).fill("# Hello\n\nHi {{firstName}}");
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await page.reload();
  await expect(body(page)).toHaveValue("# Hello\n\nHi {{firstName}}");
  await button(page, "Save draft").click();
  await expect(page).toHaveURL(/messages\/\d+$/);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await subject(page).fill("We're live today");
  await page.reload();
  await expect(subject(page)).toHaveValue("We're live today");
  await button(page, "Undo changes").click();
  await expect(subject(page)).toHaveValue("We're live");

  await subject(page).fill("We're live now");
  await button(page, "Review and send…").click();
  await expect(page).toHaveURL(/\?send/);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  const id = /messages\/(\d+)/.exec(page.url())?.[1] ?? "";
  expect(await readMessage(db, id)).toMatchObject({ state: "draft", subject: "We're live now", preparedAt: null });
  await button(page, "Discard…").click();
  await button(page, "Discard").click();
  await expect(page.getByRole("row", { name: /We're live now/ })).toContainText("Canceled");
});

test("an unsaved draft that another release stored differently is ignored", async ({ page }) => {
  await open(page, "messages/new?kind=announcement");
  await subject(page).fill("News");
  await expect(page.getByText("Not saved yet")).toBeVisible();
  const stored = await page.evaluate(() => localStorage.getItem("draft new announcement "));
  for (const foreign of [
    "{",
    "null",
    "[]",
    '{"fields":{"subject":"x"}}',
    stored?.replaceAll('"audience":{}', '"audience":null'),
    stored?.replaceAll('"subject":"News"', '"subject":["News"]'),
  ]) {
    await page.evaluate((text) => localStorage.setItem("draft new announcement ", String(text)), foreign);
    await page.reload();
    await expect(subject(page)).toHaveValue("");
  }
});

for (const name of ["Save draft", "Review and send…"]) {
  test(`letters typed after “${name}” of a new draft are kept`, async ({ page }) => {
    await open(page, "messages/new?kind=announcement");
    await subject(page).fill("News");
    await body(page).fill("Hi");
    const allow = await holdRequests(page, "**/api/messages");
    await button(page, name).click();
    await body(page).fill("Hi there");
    allow();
    await expect(page).toHaveURL(/messages\/\d+/);
    await expect(body(page)).toHaveValue("Hi there");
    await expect(page.getByText("Not saved yet")).toBeVisible();
    await page.getByRole("navigation").getByRole("link", { name: "Messages" }).click();
    await page.getByRole("link", { name: "New announcement" }).click();
    await expect(subject(page)).toHaveValue("");
  });
}

test("a draft's audience is counted before it is sent", async ({ page, db }) => {
  const { id } = await createMessage(db, OPERATOR, NEWS);
  await open(page, `messages/${id}?send`);
  await expect(page.getByRole("dialog").locator(".split")).toContainText(/Get the email\d{3}Don't get it/);
});

test("a draft whose number the server has normalized counts as saved, and can be sent", async ({ page }) => {
  await open(page, "messages/new?kind=invitation");
  await page.getByLabel("How many people").fill("0040");
  await button(page, "Save draft").click();
  await expect(page).toHaveURL(/messages\/\d+$/);
  await page.getByLabel("How many people").fill("5e1");
  await button(page, "Review and send…").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.getByLabel("How many people")).toHaveValue("50");
});
