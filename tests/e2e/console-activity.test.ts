import { recordActivity } from "#core/activity.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expect, test } from "#tests/support/console.ts";

test("activity is shown by the page, newest first, and older entries on request", async ({ page, db }) => {
  for (let count = 1; count <= 250; count += 1)
    await recordActivity(db, OPERATOR, { action: "invite", wave: String(count), count });
  await page.getByRole("link", { name: "Activity" }).click();
  const entries = page.getByRole("main").getByRole("listitem");
  await expect(entries.first()).toContainText("ada invited 250 people (wave 250)");
  await expect(entries.first().getByRole("link", { name: "wave 250" })).toHaveAttribute("href", "/people?wave=250");
  await expect(entries).toHaveCount(100);
  await page.getByRole("button", { name: "Show older" }).press("Enter");
  await expect(entries).toHaveCount(200);
  await page.getByRole("button", { name: "Show older" }).press("Enter");
  await expect(entries.last()).toContainText("ada invited 1 person (wave 1)");
  await expect(page.getByRole("button", { name: "Show older" })).toHaveCount(0);
});

test.describe("an empty list", () => {
  test.use({ isEmpty: true });

  test("the activity says that it is empty", async ({ page }) => {
    await page.getByRole("link", { name: "Activity" }).click();
    await expect(page.getByText("Nobody has changed anything yet.")).toBeVisible();
  });
});

test("the activity says what went wrong, and tries again", async ({ page }) => {
  await page.route("**/api/activity", (route) =>
    route.fulfill({ status: 503, json: { detail: "Can't reach the database." } }),
  );
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.getByRole("alert")).toContainText("Can't reach the database.");
  await page.unroute("**/api/activity");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(page.getByText("Nobody has changed anything yet.")).toBeVisible();
});
