import { expect, type Page } from "@playwright/test";
import { createMessage, readMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { button, open, refetch } from "#tests/support/console.ts";
import { test } from "#tests/support/console-mail.ts";
import { NEWS } from "#tests/support/messages.ts";

const dialog = (page: Page) => page.getByRole("dialog");

test.describe("in Berlin", () => {
  test.use({ timezoneId: "Europe/Berlin" });

  test("a marketer schedules a message for tomorrow at 9:00, and sees the time in UTC too", async ({ page, db }) => {
    await page.clock.setSystemTime("2030-11-15T12:00:00Z");
    const { id } = await createMessage(db, OPERATOR, NEWS);
    await open(page, `messages/${id}?send`);
    await page.getByLabel("When").selectOption({ label: "Tomorrow 9:00, or another time" });
    await expect(page.getByLabel("Your time")).toHaveValue("2030-11-16T09:00");
    const time = "Nov 16, 09:00 in your time zone (Europe/Berlin), Nov 16, 08:00 UTC";
    await expect(dialog(page)).toContainText(time);
    await page.getByRole("button", { name: /^Schedule for \d+ people$/ }).click();
    await expect(page.getByText("Scheduled", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Progress" })).toContainText(`Starts ${time}.`);
    expect(await readMessage(db, id)).toMatchObject({
      state: "scheduled",
      startedAt: new Date("2030-11-16T08:00:00Z"),
    });
    await db.pool.query("update messages set started_at = now() where id = $1", [id]);
    await refetch(page);
    await expect(page.getByText(/about 1 minute left/)).toBeVisible();
  });
});

test("a marketer cancels a message, corrects it for those who didn't get it, and later duplicates it", async ({
  page,
  db,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id } = await createMessage(db, OPERATOR, {
    ...NEWS,
    body: "Hi **{{firstName}}**",
    audience: { company: "Acme" },
  });
  await db.pool.query("update sign_ups set company_key = 'acme', newsletter = true where confirmed_at is not null");
  await open(page, `messages/${id}?send`);
  await page.getByRole("button", { name: /^Send to \d+ people$/ }).click();
  await button(page, "Cancel message…").click();
  await button(page, "Cancel message").click();
  await page.getByRole("button", { name: /^Write to the \d+ people who didn't get it$/ }).click();
  await expect(page.getByText("The audience is final.")).toBeVisible();
  await page.getByLabel("Subject").fill("News, corrected");
  await button(page, "Review and send…").click();
  await page.getByRole("button", { name: /^Send to \d+ people$/ }).click();
  await expect(page.getByText("Sending", { exact: true })).toBeVisible();

  await page.getByText("Markdown").click();
  await button(page, "Copy").click();
  await expect(button(page, "Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Hi **{{firstName}}**");
  await page.getByRole("link", { name: "Duplicate" }).click();
  await expect(page.getByLabel("Subject")).toHaveValue("News, corrected");
  await expect(page.getByLabel("Company")).toHaveValue("Acme");
  await button(page, "Save draft").click();
  await expect(page).toHaveURL(/messages\/\d+$/);
});
