import { sql } from "kysely";
import { inviteNext } from "#core/invitations/waves.ts";
import { createMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { button, expect, openFilter, test } from "#tests/support/console.ts";
import { NEWS } from "#tests/support/messages.ts";

test.beforeEach(async ({ page }) => {
  await page.getByRole("link", { name: "People", exact: true }).click();
  await expect(page.getByText("2,000 people")).toBeVisible();
});

test("filters are part of the URL and chips, survive a reload, and Clear removes them", async ({ page }) => {
  await (await openFilter(page, "Invited")).getByRole("button", { name: "Invited", exact: true }).click();
  await expect(page).toHaveURL(/invited=yes/);
  for (const step of ["chosen", "reloaded"]) {
    if (step === "reloaded") await page.reload();
    await expect(page.getByRole("cell", { name: "Invited" }).first()).toBeVisible();
    await expect(page.getByRole("cell", { name: "Joined" })).toHaveCount(0);
  }
  await button(page, "Invited").click();
  await expect(page).not.toHaveURL(/invited/);
  const choices = {
    Confirmed: "Not confirmed",
    Invited: "Not invited",
    Suppressed: "Not suppressed",
    Newsletter: "Not subscribed",
    Unsubscribed: "Unsubscribed",
  };
  for (const [field, choice] of Object.entries(choices))
    await (await openFilter(page, field)).getByRole("button", { name: choice, exact: true }).click();
  await (await openFilter(page, "Since")).getByLabel("Since").fill("2026-01-01");
  await (await openFilter(page, "Source")).getByRole("checkbox", { name: "linkedin" }).check();
  await expect(page).toHaveURL(/source=linkedin/);
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({
    confirmed: "no",
    invited: "no",
    suppressed: "no",
    newsletter: "no",
    unsubscribed: "yes",
    since: "2026-01-01T00:00:00.000Z",
    source: "linkedin",
  });
  await page.keyboard.press("Escape");
  await button(page, "Clear").click();
  await expect(page).toHaveURL(/\/people\??$/);
  await expect(page.getByText("2,000 people")).toBeVisible();
});

test("a filter takes several values by keyboard alone, and leads to a message", async ({ page, db }) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const { rows } = await sql<{ people: number }>`
    select count(*)::integer as people from sign_ups where utm ->> 'source' in ('qr', 'linkedin')`.execute(db);
  const people = page.getByText(`${rows[0]?.people} people`, { exact: true });
  const menu = page.locator(".filter-menu");
  const source = menu.locator("summary", { hasText: "Source" });
  await button(page, "Filter").focus();
  await press("Enter");
  for (let tabs = 0; !(await source.evaluate((summary) => summary === document.activeElement)); tabs += 1) {
    expect(tabs).toBeLessThan(20);
    await press("Tab");
  }
  await press("Enter");
  await expect(menu.getByRole("textbox", { name: "Source" })).toBeFocused();
  await page.keyboard.type("qr");
  await press("Enter");
  await expect(button(page, "Source: qr")).toBeVisible();
  await page.keyboard.type("linkedin");
  await press("Enter");
  await expect(people).toBeVisible();
  await expect(menu.getByRole("checkbox", { name: "qr" })).toBeChecked();
  await expectNoViolationsLightAndDark(page);
  await press("Escape");
  await expect(menu).toBeHidden();
  await expect(button(page, "Filter")).toBeFocused();
  // The link to another view keeps the filters.
  await page.getByRole("link", { name: "Email these people" }).click();
  await button(page, "Source: qr or linkedin").press("Enter");
  await expect(button(page, "Source: qr or linkedin")).toHaveCount(0);
});

test("on a phone the menu of filters is below its button, away from the edge", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await button(page, "Filter").click();
  const edges = (element: HTMLElement) => element.getBoundingClientRect().toJSON();
  const above = await button(page, "Filter").evaluate(edges);
  const menu = await page.locator(".filter-menu").evaluate(edges);
  expect(menu.top).toBeCloseTo(above.bottom, 0);
  expect(menu.right).toBeCloseTo(above.right, 0);
});

test("chips name waves and messages, and say days as people write them", async ({ page, db }) => {
  await inviteNext(db, OPERATOR, {}, 3);
  await sql`update waves set invited_at = '2026-11-11T12:00:00Z'`.execute(db);
  const { id } = await createMessage(db, OPERATOR, { ...NEWS, subject: "Early access opens" });
  await sql`update messages set started_at = now() where id = ${id}`.execute(db);
  await page.reload();
  await page.clock.setSystemTime(new Date("2026-11-20T12:00:00Z"));
  await (await openFilter(page, "Wave")).getByLabel("Wave").selectOption({ label: "Wave of Nov 11 (ID 1)" });
  await (await openFilter(page, "Got message")).getByLabel("Got message").selectOption("Got “Early access opens”");
  await (await openFilter(page, "Since")).getByLabel("Since").fill("2026-11-11");
  await (await openFilter(page, "Before")).getByLabel("Before").fill("2025-11-30");
  for (const chip of ["Wave of Nov 11", "Got “Early access opens”", "Since Nov 11", "Before Nov 30, 2025"])
    await expect(button(page, chip)).toBeVisible();
});
