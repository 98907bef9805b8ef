import { expectNoViolations } from "#tests/support/axe.ts";
import { button, expect, open, test } from "#tests/support/console.ts";

test("a flood is previewed, set aside without those who confirmed, and brought back", async ({ page, db }) => {
  await db.pool.query(`
    insert into sign_ups (email_key, email, first_name, last_name, newsletter, joined_at, search_words, confirmed_at)
    select address, address, 'Cheap', 'Backlinks', false, '2026-01-05 18:30Z', 'FLOOD TEST', case when number <= 2 then now() end
    from generate_series(1, 1200) as number, format('bot%s@flood.test', number) as address`);
  await db.pool.query("update totals set users = users + 1200 where slot = 0");
  await page.getByRole("link", { name: "People", exact: true }).click();
  await expect(page.getByText("3,200 people")).toBeVisible();
  await expect(button(page, "Set aside…")).toHaveCount(0);
  await open(page, "people?domain=flood.test");
  await expect(page.getByRole("link", { name: "bot1200@flood.test" })).toBeVisible();
  await button(page, "Set aside…").click();
  const dialog = page.getByRole("dialog", { name: "Set 1,198 people aside?" });
  await expect(dialog.getByText("2026-01-05 18:00: 1,200")).toBeVisible();
  await expect(dialog.getByText("flood.test: 1,200")).toBeVisible();
  await dialog.getByLabel("Also set aside 2 who confirmed their address").check();
  await expect(page.getByRole("dialog", { name: "Set 1,200 people aside?" })).toBeVisible();
  await page.getByLabel("Also set aside 2 who confirmed their address").uncheck();
  await expectNoViolations(page, "the preview");
  await button(page, "Set aside").click();
  await expect(page.getByText("Set 1,198 people aside. Quarantine can bring them back.")).toBeVisible();
  await expect(page.getByText("2 people", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Quarantine" }).click();
  await expect(page.getByText("1,198 people by ada")).toBeVisible();
  await expectNoViolations(page, "the quarantine");

  await page.getByText("Quarantined domains").click();
  await page.getByLabel("Mail domain").fill("127.0.0.1");
  await button(page, "Quarantine new sign-ups").click();
  await expect(page.getByText("There is no such domain.")).toBeVisible();
  await page.getByLabel("Mail domain").fill("flood.test");
  await page.getByLabel("For how long").selectOption("30 days");
  await button(page, "Quarantine new sign-ups").click();
  await expect(page.getByText("New sign-ups from flood.test, until")).toBeVisible();
  await expect(page.getByText("There is no such domain.")).toHaveCount(0);
  await expectNoViolations(page, "the domains");
  await page.getByRole("button", { name: "Stop quarantining flood.test" }).click();
  await expect(page.getByText("New sign-ups from flood.test")).toHaveCount(0);

  const { rows } = await db.pool.query("select min(id) as id from sign_ups where set_aside_at is not null");
  await open(page, `people/${rows[0].id}`);
  const panel = page.getByRole("dialog", { name: "Person" });
  await expect(panel.getByText("Set aside", { exact: true })).toBeVisible();
  await expect(panel.getByText("Set aside: not on the list, and gets no email")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Invite…" })).toHaveCount(0);
  await expectNoViolations(page, "someone who is set aside");

  await open(page, "quarantine");
  await page.getByRole("button", { name: "Bring back… 1,198 people" }).click();
  await button(page, "Bring back").click();
  await expect(page.getByText("Brought 1,198 people back to the list.")).toBeVisible();
  await open(page, "people?domain=flood.test");
  await expect(page.getByText("1,200 people", { exact: true })).toBeVisible();
});
