import type { Database } from "#core/database/connect.ts";
import { button, expect, fail, NO_DATABASE, refetch, test } from "#tests/support/console.ts";

const addBots = (db: Database, from: number, to: number) =>
  db.pool.query(
    `insert into quarantine (email_key, email, first_name, last_name, newsletter, website)
      select address, address, 'Cheap', 'Backlinks', false, 'https://top.example'
      from generate_series($1::integer, $2) as number, format('bot%s@example.com', number) as address`,
    [from, to],
  );

test("entries are selected by keyboard, released, and the rest dropped", async ({ page, db }) => {
  await addBots(db, 1, 9000);
  await page.getByRole("link", { name: "Quarantine" }).click();
  const entry = (number: number) => page.getByLabel(`Select bot${number}@example.com`);
  await entry(9000).press("Space");
  await page.keyboard.press("Tab");
  await expect(entry(8999)).toBeFocused();
  for (const number of [8998, 8997]) await entry(number).press("Space");
  expect(await page.getByRole("row").count()).toBeLessThan(80);

  // The selection stays when new entries arrive.
  await addBots(db, 9001, 9001);
  await refetch(page);
  await expect(entry(9001)).not.toBeChecked();
  await expect(page.getByText("3 entries selected")).toBeVisible();

  // The error of a failed drop is in its dialog, not next to the successful release.
  await fail(page, "**/drop", { times: 1 });
  await button(page, "Drop…").press("Enter");
  await button(page, "Drop").press("Enter");
  await expect(page.getByRole("dialog", { name: "Drop 3 entries?" }).getByRole("alert")).toHaveText(NO_DATABASE);
  await page.keyboard.press("Escape");
  await button(page, "Release").press("Enter");
  await expect(page.getByText("Released 3 entries: 3 joined the list.")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText("Select entries to release or drop")).toBeVisible();

  await page.getByLabel("Select all").press("Space");
  await button(page, "Drop…").press("Enter");
  await button(page, "Drop").press("Enter");
  await expect(page.getByText("Nothing to review.")).toBeVisible();
  await expect(page.getByText(/^Dropped \d,\d{3} entries\.$/)).toBeVisible();
  expect(await db.selectFrom("quarantine").select("id").execute()).toEqual([]);
});
