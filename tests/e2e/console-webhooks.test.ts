import { expectNoViolations } from "#tests/support/axe.ts";
import { button, expect, open, refetch, test } from "#tests/support/console.ts";

test("an admin adds a webhook, sees its secret once and its deliveries, pauses and removes it", async ({
  page,
  db,
}) => {
  await open(page, "webhooks");
  await expect(page.getByText("No webhooks yet.")).toBeVisible();
  await button(page, "Add webhook…").click();
  await page.getByLabel("URL").fill("https://elsewhere.example/token");
  await button(page, "Add").click();
  await expect(page.getByRole("alert")).toContainText("WEBHOOK_HOSTS");
  await page.getByLabel("URL").fill("https://crm.example/token");
  await button(page, "Add").click();
  await expect(page.getByLabel("Signing key")).toHaveValue(/^whsec_/);
  await expectNoViolations(page, "secret");
  await button(page, "Done").click();
  await expect(page.getByText("whsec_")).toHaveCount(0);

  await button(page, "Test… webhook 1").click();
  await button(page, "Test").click();
  await db.pool.query(`
    insert into webhook_deliveries (endpoint_id, webhook_id, type, attempt, status, outcome)
    values (1, 'msg_1', 'webhook.test', 1, '503', 'failed'), (1, 'msg_1', 'webhook.test', 2, '200', 'delivered')`);
  await refetch(page);
  await expect(page.getByRole("row")).toHaveText([/webhook\.test200 delivered/, /webhook\.test503 failed/]);
  await button(page, "Pause… webhook 1").click();
  await button(page, "Pause").click();
  await expect(page.locator(".status")).toHaveText("paused");

  await db.pool.query("update webhook_endpoints set state = 'disabled', failing_since = now() - interval '3 days'");
  await open(page, "people");
  await page.getByRole("alert").getByRole("link", { name: "See webhooks" }).click();
  await expect(page.locator(".status")).toHaveText("disabled");
  await expectNoViolations(page, "disabled");
  await button(page, "Resume… webhook 1").click();
  await button(page, "Resume").click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await button(page, "Replace secret… webhook 1").click();
  await button(page, "Replace secret").click();
  await expect(page.getByLabel("Signing key")).toHaveValue(/^whsec_/);
  await button(page, "Done").click();
  await button(page, "Remove… webhook 1").click();
  await button(page, "Remove").click();
  await expect(page.getByText("No webhooks yet.")).toBeVisible();
});
