import { expect, type Page } from "@playwright/test";
import type { Database } from "#core/database/connect.ts";
import { prepareMessage } from "#core/messages/audience.ts";
import { cancelMessage, pauseMessage, startMessage } from "#core/messages/message-states.ts";
import { createMessage, type Draft } from "#core/messages/messages.ts";
import { expectNoViolations } from "#tests/support/axe.ts";
import { test as withoutMail } from "#tests/support/console.ts";
import { test } from "#tests/support/console-mail.ts";
import { NEWS } from "#tests/support/messages.ts";

const ACTOR = { name: "ada", via: "console" } as const;

async function send(db: Database, draft: Partial<Draft>): Promise<string> {
  const { id } = await createMessage(db, ACTOR, { ...NEWS, ...draft });
  await prepareMessage(db, ACTOR, id);
  await startMessage(db, ACTOR, id);
  return id;
}

const open = (page: Page, path: string) => page.goto(`${new URL(page.url()).origin}${path}`);
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const frame = (page: Page) => page.frameLocator("iframe");

async function checkLoaded(page: Page, name: string): Promise<void> {
  await expect(page.locator("main")).not.toContainText("Loading");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.waitForTimeout(300);
  await expectNoViolations(page, name);
}

test("axe finds no violations in any state of a message, in light and dark mode", async ({ page, db }) => {
  test.slow();
  const draft = await createMessage(db, ACTOR, { ...NEWS, pace: { count: 5, unit: "day" } });
  const [sending, paused, canceled] = [await send(db, {}), await send(db, {}), await send(db, { kind: "invitation" })];
  await pauseMessage(db, ACTOR, paused);
  await cancelMessage(db, ACTOR, canceled);
  await db.pool.query(
    `update deliveries set state = 'failed', reason = 'refused'
      where message_id = $1 and sign_up_id in (select sign_up_id from deliveries where message_id = $1 limit 3)`,
    [sending],
  );
  for (const path of [
    "/messages",
    "/messages/new?kind=invitation",
    `/messages/${draft.id}`,
    `/messages/${draft.id}?view=dark`,
    `/messages/${draft.id}?view=text`,
    `/messages/${draft.id}?send`,
    `/messages/${sending}`,
    `/messages/${paused}?view=phone`,
    `/messages/${canceled}`,
    "/messages/999999",
    "/waves",
  ]) {
    await open(page, path);
    await checkLoaded(page, path);
  }
  await open(page, `/messages/${draft.id}`);
  await button(page, "Send a test…").click();
  await checkLoaded(page, "test dialog");
});

test("why people were skipped is asked again while a message is sent, and no more once it is canceled", async ({
  page,
  db,
}) => {
  const id = await send(db, {});
  await db.pool.query("update deliveries set state = 'skipped', reason = 'unsubscribed' where message_id = $1", [id]);
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/reasons")) asked += 1;
  });
  await page.clock.install();
  await open(page, `/messages/${id}`);
  await expect.poll(() => asked).toBe(1);
  await page.clock.fastForward(31_000);
  await expect.poll(() => asked).toBe(2);
  await cancelMessage(db, ACTOR, id);
  await page.clock.fastForward(31_000);
  await expect(page.getByText("Not sent")).toBeVisible();
  const before = asked;
  await page.clock.fastForward(31_000);
  await page.clock.fastForward(31_000);
  await page.waitForTimeout(500);
  expect(asked).toBe(before);
});

test.describe("read-only", () => {
  test.use({ isReadOnly: true });

  test("messages are shown with their audience and preview, and nothing can be changed", async ({ page, db }) => {
    const { id } = await createMessage(db, ACTOR, NEWS);
    await open(page, "/messages");
    await expect(page.getByRole("link", { name: /^New / })).toHaveCount(0);
    await page.getByRole("link", { name: "News" }).click();
    await expect(page.locator(".split")).toContainText("Get the email");
    await expect(frame(page).getByText("Hi Ada")).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await expect(button(page, /Save|Send|Discard|Pause/)).toHaveCount(0);
    await expectNoViolations(page, `/messages/${id}`);
    await open(page, "/waves");
    await expect(page.getByRole("link", { name: "Invite people" })).toHaveCount(0);
  });
});

withoutMail.describe("with mail off", () => {
  withoutMail.use({ isEmpty: true });

  withoutMail("the screens say what is missing, and a draft can be written", async ({ page }) => {
    await open(page, "/waves");
    await expect(page.getByText("Nobody has been invited yet.")).toBeVisible();
    await open(page, "/messages/new?kind=invitation");
    await expect(page.getByText("Mail is off here.")).toBeVisible();
    await expect(page.getByText("Invitations have no link yet.")).toBeVisible();
    await expect(button(page, "Review and send…")).toBeDisabled();
    await expect(button(page, "Send a test…")).toBeDisabled();
    await page.getByLabel("Subject").fill("Soon");
    await page.getByLabel("Body, in Markdown").fill("You're next, {{firstName}}.");
    await expect(frame(page).getByText("You're next, Ada.")).toBeVisible();
    await expectNoViolations(page, "mail off");
    await button(page, "Save draft").click();
    await expect(page).toHaveURL(/messages\/\d+$/);
  });
});
