import { expect } from "@playwright/test";
import { readMessage } from "#core/messages/messages.ts";
import { button, open, refetch } from "#tests/support/console.ts";
import { test } from "#tests/support/console-mail.ts";

test("a marketer rewrites the confirmation email, can't lose its link, and restores the original", async ({
  page,
  db,
}) => {
  await open(page, "messages");
  await page.getByRole("link", { name: "Confirmation email" }).click();
  await expect(page.getByLabel("Subject")).toHaveValue("Confirm your email address");
  await page.getByLabel("Subject").fill("One more click");
  await page.getByLabel("Body, in Markdown").fill("Hi!");
  await button(page, "Save").click();
  await expect(page.getByRole("alert")).toHaveText("The text needs its link: [**Confirm**]({{confirmUrl}}).");
  await page.getByLabel("Body, in Markdown").fill("Hi!\n\n[**It's me**]({{confirmUrl}})");
  await expect(page.frameLocator("iframe").getByRole("link", { name: "It's me" })).toBeVisible();
  await button(page, "Save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await readMessage(db, "1")).toMatchObject({ subject: "One more click" });
  await button(page, "Original text").click();
  await button(page, "Save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await readMessage(db, "1")).toMatchObject({ subject: "Confirm your email address" });
});

test("a marketer rewrites the reminder, turns it on and off, and sees its results", async ({ page, db }) => {
  const { rows } = await db.pool.query(
    `select count(*)::integer as unconfirmed from sign_ups
     where confirmed_at is null and joined_at >= date_trunc('day', now(), 'UTC') - interval '30 days'`,
  );
  const { unconfirmed } = rows[0];
  await open(page, "messages");
  await page.getByRole("link", { name: "Reminder" }).click();
  await expect(page.getByText("Off", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Days after someone joins")).toHaveValue("3");
  await page.getByLabel("Days after someone joins").fill("5");
  await page.getByLabel("Body, in Markdown").fill("Hi!");
  await button(page, "Save").click();
  await expect(page.getByRole("alert")).toHaveText("The text needs its link: [**Confirm**]({{confirmUrl}}).");
  await button(page, "Original text").click();
  await page.getByRole("combobox", { name: "Send" }).selectOption("Limited per day");
  await button(page, "Save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(await readMessage(db, "0")).toMatchObject({ delay: 5, pace: { count: 200, unit: "day" }, state: "paused" });
  await expect(page.getByRole("link", { name: unconfirmed.toLocaleString("en"), exact: true })).toBeVisible();
  await button(page, "Turn on").click();
  await expect(page.getByText("On", { exact: true })).toBeVisible();
  expect((await readMessage(db, "0"))?.state).toBe("sending");
  await db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, sent_at)
    select 0, id, 'sent', confirmed_at - interval '1 day' from sign_ups where confirmed_at is not null order by id limit 2`);
  await refetch(page);
  await expect(page.getByRole("region", { name: "Reminder" })).toContainText("2 sent, 2 confirmed since");
  await button(page, "Turn off").click();
  await expect(page.getByText("Off", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.getByText("turned the reminder on")).toBeVisible();
});
