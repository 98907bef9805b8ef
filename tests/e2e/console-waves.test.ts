import { expectNoViolations } from "#tests/support/axe.ts";
import { expect, test } from "#tests/support/console.ts";

test.beforeEach(({ page }) => page.getByRole("link", { name: "Waves" }).click());

test("a wave is taken back by keyboard, after a question that says how many people it is", async ({ page, db }) => {
  const { rows } = await db.pool.query(
    "select wave_id as id, count(*)::integer as people from sign_ups where wave_id is not null group by 1 order by 1 desc",
  );
  const [{ id, people }] = rows;
  const takeBack = page.getByRole("button", { name: `Take back… wave ${id}` });
  await takeBack.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Take back ${people} invitations?` });
  await expect(dialog).toContainText(`Everyone in wave ${id}`);
  await page.keyboard.press("Escape");
  // Gone from the document, because the browser hides it some milliseconds before it says so.
  await expect(page.locator("dialog")).toHaveCount(0);
  await expect(takeBack).toBeFocused();
  await takeBack.press("Enter");
  await dialog.getByRole("button", { name: "Take back" }).press("Enter");
  await expect(page.getByText(`Took back ${people} invitations.`)).toBeVisible();
  await expect(takeBack).toHaveCount(0);
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.getByText(`ada uninvited ${people} people (wave ${id})`)).toBeVisible();
});

test("all links of a wave are visible in a window of 768 px", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  const links = page.locator(".row-links").first();
  await expect(links).toBeVisible();
  expect(await links.evaluate(({ parentElement: cell }) => (cell?.scrollWidth ?? 0) - (cell?.clientWidth ?? 0))).toBe(
    0,
  );
});

test("axe finds no violations in the question about a wave, in light and dark mode", async ({ page }) => {
  await page.getByRole("button", { name: "Take back…" }).first().click();
  await expectNoViolations(page);
});

test.describe("read-only", () => {
  test.use({ isReadOnly: true });

  test("waves are shown, and none can be taken back", async ({ page }) => {
    await expect(page.locator(".row-links").first()).toBeVisible();
    await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  });
});
