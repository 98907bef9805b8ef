import { expect, type Page } from "@playwright/test";
import { recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { Draft } from "#core/messages/messages.ts";
import { changeMessage, createMessage, prepareMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { button, fail, NO_DATABASE, open, refetch, untilLoaded, test as withoutMail } from "#tests/support/console.ts";
import { test } from "#tests/support/console-mail.ts";
import { NEWS } from "#tests/support/messages.ts";
import { holdRequests, recordCalls, untilRecorded } from "#tests/support/visitor.ts";

async function send(db: Database, draft: Partial<Draft>): Promise<string> {
  const { id } = await createMessage(db, OPERATOR, { ...NEWS, ...draft });
  await prepareMessage(db, OPERATOR, id);
  await changeMessage(db, OPERATOR, id, "start");
  return id;
}

const frame = (page: Page) => page.frameLocator("iframe");

test("axe finds no violations in any state of a message, in light and dark mode", async ({ page, db }) => {
  test.slow();
  const draft = await createMessage(db, OPERATOR, { ...NEWS, pace: { count: 5, unit: "day" } });
  const [sending, paused, canceled] = [await send(db, {}), await send(db, {}), await send(db, { kind: "invitation" })];
  await changeMessage(db, OPERATOR, paused, "pause");
  await changeMessage(db, OPERATOR, canceled, "cancel");
  await db.pool.query(
    `update deliveries set state = 'failed', reason = 'refused'
      where message_id = $1 and sign_up_id in (select sign_up_id from deliveries where message_id = $1 limit 3)`,
    [sending],
  );
  for (const path of [
    "messages",
    "messages/new?kind=invitation",
    `messages/${draft.id}?view=text`,
    `messages/${draft.id}?send`,
    `messages/${sending}`,
    `messages/${paused}?view=phone`,
    `messages/${canceled}`,
    "messages/999999",
  ]) {
    await open(page, path);
    await untilLoaded(page);
    await expectNoViolationsLightAndDark(page, path);
  }
  await open(page, `messages/${draft.id}`);
  await button(page, "Send a test…").click();
  await expectNoViolationsLightAndDark(page, "test dialog");
});

test("while people are being added, the dialog stays open; an operator who leaves isn't sent back", async ({
  page,
  db,
}) => {
  for (const isLeft of [false, true]) {
    const { id } = await createMessage(db, OPERATOR, NEWS);
    const release = await holdRequests(page, `**/${id}/start`);
    await open(page, `messages/${id}`);
    await button(page, "Review and send…").click();
    await page.getByRole("button", { name: /^Send to \d/ }).click();
    await expect(page.getByText("Adding people")).toBeVisible();
    await expect(button(page, "Cancel")).toBeDisabled();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(page.getByText("Adding people")).toBeVisible();
    if (isLeft) {
      await page.goBack();
      await page.getByRole("link", { name: "People", exact: true }).click();
    }
    const started = page.waitForResponse("**/start");
    release();
    await (await started).finished();
    if (!isLeft) await expect(button(page, "Pause")).toBeVisible();
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await expect(page).toHaveURL(isLeft ? /\/people$/ : new RegExp(`/messages/${id}$`));
  }
});

test("canceling asks first and reports a failure, and progress includes mail in flight", async ({ page, db }) => {
  const id = await send(db, {});
  const deliver = (people: number) =>
    db.pool.query(
      `update deliveries set state = 'sent' where message_id = $1 and sign_up_id in (
        select sign_up_id from deliveries where message_id = $1 and state = 'pending' limit $2
      )`,
      [id, people],
    );
  await open(page, `messages/${id}`);
  const progress = page.getByRole("region", { name: "Progress" });
  await expect(progress).toContainText("0 of ");
  await button(page, "Pause").click();
  await expect(button(page, "Resume")).toBeVisible();
  await deliver(2);
  await refetch(page);
  await expect(progress).toContainText("2 of ");

  await fail(page, "**/cancel", { times: 1 });
  await button(page, "Cancel message…").click();
  await button(page, "Cancel message").click();
  await expect(page.getByRole("dialog", { name: "Cancel this message?" }).getByRole("alert")).toHaveText(NO_DATABASE);
  await button(page, "Go back").click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await button(page, "Cancel message…").click();
  await button(page, "Cancel message").click();
  await expect(page.getByText("Canceled", { exact: true })).toBeVisible();
  await deliver(3);
  await refetch(page);
  await expect(progress).toContainText("5 of ");
});

test("the reasons for skipping people are refetched only while a message is being sent", async ({ page, db }) => {
  const id = await send(db, {});
  await db.pool.query("update deliveries set state = 'skipped', reason = 'unsubscribed' where message_id = $1", [id]);
  const calls = recordCalls(page);
  const reasons = () => calls.filter((call) => call.endsWith("/reasons")).length;
  await open(page, `messages/${id}`);
  // The console's 30-second timer restarts with each response.
  await expect(page.getByText(/\d not subscribed$/)).toBeVisible();
  expect(reasons()).toBe(1);
  await page.clock.fastForward(31_000);
  await expect.poll(reasons).toBe(2);
  await changeMessage(db, OPERATOR, id, "cancel");
  await refetch(page);
  // The new state causes one more request.
  await expect.poll(reasons).toBe(3);
  for (let minute = 0; minute < 2; minute += 1) await page.clock.fastForward("01:00");
  await untilRecorded(page);
  expect(reasons()).toBe(3);
});

test.describe("read-only", () => {
  test.use({ isReadOnly: true });

  test("every view is shown, and nothing can be changed", async ({ page, db }) => {
    const { id } = await createMessage(db, OPERATOR, NEWS);
    await recordActivity(db, OPERATOR, { action: "edit", person: "700" });
    await expect(page.getByText("read-only")).toBeVisible();
    await open(page, "people/700");
    await expect(page.getByText("ada edited")).toBeVisible();
    await expect(page.getByRole("dialog").getByRole("button")).toHaveAccessibleName("Close");
    for (const [path, shown] of Object.entries({
      quarantine: page.getByRole("columnheader", { name: "Hidden field" }),
      waves: page.locator(".row-links").first(),
      activity: page.getByText("ada edited"),
      messages: page.getByRole("link", { name: "News" }),
    })) {
      await open(page, path);
      await expect(shown).toBeVisible();
      await expect(page.getByRole("main").locator("button, input:not([type=date]), a[href*=new]")).toHaveCount(0);
    }
    await open(page, `messages/${id}`);
    await expect(page.locator(".split")).toContainText("Get the email");
    await expect(frame(page).getByText("Hi Ada")).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await expect(page.getByRole("button", { name: /Save|Send|Discard|Pause/ })).toHaveCount(0);
    await expectNoViolationsLightAndDark(page);
  });
});

withoutMail("with mail off, the screens say what is missing, and a draft can be written", async ({ page }) => {
  await open(page, "messages/new?kind=invitation");
  await expect(page.getByText("Mail is off.")).toBeVisible();
  await expect(page.getByText("Invitations have no link yet.")).toBeVisible();
  await expect(button(page, "Review and send…")).toBeDisabled();
  await expect(button(page, "Send a test…")).toHaveCount(0);
  await page.getByLabel("Subject").fill("Soon");
  await page.getByLabel("Body, in Markdown").fill("You're next, {{firstName}}.");
  await expect(frame(page).getByText("You're next, Ada.")).toBeVisible();
  await expectNoViolationsLightAndDark(page);
  await button(page, "Save draft").click();
  await expect(page).toHaveURL(/messages\/\d+$/);
});
