import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { prepareMessage } from "#core/messages/audience.ts";
import { startMessage } from "#core/messages/message-states.ts";
import { createMessage, type Draft, editMessage, readMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { test } from "#tests/support/console-mail.ts";

const NEWS: Draft = { kind: "announcement", subject: "News", body: "Hi {{firstName}}", audience: {}, pace: null };
const COLLEAGUE = { name: "grace", via: "command line" } as const;

const open = (page: Page, path: string) => page.goto(`${new URL(page.url()).origin}${path}`);
const button = (page: Page, name: string) => page.getByRole("button", { name });
const body = (page: Page) => page.getByLabel("Body, in Markdown");
const subject = (page: Page) => page.getByLabel("Subject");

test("a draft that nobody is changing here follows what a colleague saves", async ({ page, db }) => {
  const { id } = await createMessage(db, OPERATOR, NEWS);
  await open(page, `/messages/${id}`);
  await expect(subject(page)).toHaveValue("News");
  await editMessage(db, COLLEAGUE, id, { subject: "Good news" });
  await expect(subject(page)).toHaveValue("Good news");
  await body(page).fill("Hello");
  await button(page, "Save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await readMessage(db, id)).toMatchObject({ subject: "Good news", body: "Hello" });
});

test("a draft that was also changed elsewhere says so before it is saved", async ({ page, db }) => {
  const { id } = await createMessage(db, OPERATOR, NEWS);
  await open(page, `/messages/${id}`);
  await body(page).fill("Hello");
  await editMessage(db, COLLEAGUE, id, { subject: "Good news" });
  const warning = page.getByRole("alert");
  await expect(warning).toContainText("changed elsewhere");
  await page.reload();
  await expect(warning).toContainText("changed elsewhere");
  await expect(body(page)).toHaveValue("Hello");
  expect((await new AxeBuilder({ page }).exclude("iframe").analyze()).violations).toEqual([]);
  await button(page, "Undo changes").click();
  await expect(subject(page)).toHaveValue("Good news");
  await expect(warning).toHaveCount(0);

  await body(page).fill("Hello again");
  await editMessage(db, COLLEAGUE, id, { subject: "Bad news" });
  await expect(warning).toContainText("changed elsewhere");
  await button(page, "Save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(warning).toHaveCount(0);
  expect(await readMessage(db, id)).toMatchObject({ subject: "Good news", body: "Hello again" });
});

test("a number that is stored in another form is saved, and the draft can be sent", async ({ page }) => {
  await open(page, "/messages/new?kind=invitation");
  await page.getByLabel("How many people").fill("0040");
  await button(page, "Save draft").click();
  await expect(page).toHaveURL(/messages\/\d+$/);
  await page.getByLabel("How many people").fill("5e1");
  await button(page, "Review and send…").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.getByLabel("How many people")).toHaveValue("50");
});

for (const name of ["Save draft", "Review and send…"]) {
  test(`letters typed after “${name}” of a new draft are kept`, async ({ page }) => {
    await open(page, "/messages/new?kind=announcement");
    await subject(page).fill("News");
    await body(page).fill("Hi");
    const { promise: isAllowed, resolve: allow } = Promise.withResolvers<void>();
    await page.route("**/api/messages", async (route) => {
      await isAllowed;
      await route.continue();
    });
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

test("the audience is estimated on a long list, and counted exactly before it is sent", async ({ page, db }) => {
  const { id } = await createMessage(db, OPERATOR, NEWS);
  const estimate = { matching: 4_123_456, recipients: 1_234_567 };
  await page.route("**/api/audience?*", (route) => route.fulfill({ json: { estimate } }));
  await open(page, "/messages/new?kind=invitation");
  const split = page.locator(".live-split");
  await expect(split).toContainText("Get the emailAbout 1,230,000 people");
  await expect(split).toContainText("Match the filtersAbout 4,120,000 people");
  await expect(split).toContainText("Estimated, because the list is long. “Review and send…” counts exactly.");
  await page.getByLabel("How many people").fill("40");
  await expect(split).toContainText("Get the emailUp to 40 people");
  await open(page, `/messages/${id}?send`);
  await expect(page.getByRole("dialog").locator(".split")).toContainText(/Get the email\d{3}Don't get it/);
});

test("the progress of a paused and of a canceled message follows mail that was on its way", async ({ page, db }) => {
  const { id } = await createMessage(db, OPERATOR, NEWS);
  await prepareMessage(db, OPERATOR, id);
  await startMessage(db, OPERATOR, id);
  const deliver = (people: number) =>
    db.pool.query(
      `update deliveries set state = 'sent' where message_id = $1 and sign_up_id in (
        select sign_up_id from deliveries where message_id = $1 and state = 'pending' limit $2
      )`,
      [id, people],
    );
  await open(page, `/messages/${id}`);
  const progress = page.getByRole("region", { name: "Progress" });
  await expect(progress).toContainText("0 of ");
  await button(page, "Pause").click();
  await expect(button(page, "Resume")).toBeVisible();
  await deliver(2);
  await expect(progress).toContainText("2 of ");
  await button(page, "Cancel message…").click();
  await page.getByRole("button", { name: "Cancel message", exact: true }).click();
  await expect(page.getByText("Canceled", { exact: true })).toBeVisible();
  await deliver(3);
  await expect(progress).toContainText("5 of ");
});
