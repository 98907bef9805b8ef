import { expect, type Page } from "@playwright/test";
import { expectNoViolations } from "#tests/support/axe.ts";
import { button, open } from "#tests/support/console.ts";
import { test } from "#tests/support/console-mail.ts";

const people = (page: Page, count: string) => page.getByRole("status").filter({ hasText: `${count} people` });

test("a marketer finds everyone at Freight, emails them, and sees who got it", async ({
  page,
  db,
  smtp,
  startWorker,
}) => {
  test.slow();
  const { rows } = await db.pool.query<{ email: string; gets: boolean }>(
    `select email, newsletter and confirmed_at is not null and suppressed_at is null as gets
     from sign_ups where company_key = 'meridora freight' order by joined_at desc`,
  );
  const recipients = rows.filter(({ gets }) => gets).map(({ email }) => email);
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByLabel("Search").fill("freight");
  await page.getByRole("link", { name: /^Everyone at Meridora Freight/i }).click();
  await expect(people(page, String(rows.length))).toBeVisible();

  await page.getByRole("link", { name: "Email these people" }).click();
  await expect(page.getByRole("button", { name: /^Company: Meridora Freight/i })).toBeVisible();
  await page.getByLabel("Subject").fill("News for Freight");
  await page.getByLabel("Body, in Markdown").fill("Hi {{firstName}}");
  await button(page, "Review and send…").click();
  await button(page, `Send to ${recipients.length} people`).click();
  await startWorker();
  await expect(page.getByText(`${recipients.length} of ${recipients.length} sent`)).toBeVisible({ timeout: 30_000 });
  expect(smtp.mails.map(({ to }) => to?.[0]?.address).sort()).toEqual(recipients.toSorted());

  await page.getByRole("link", { name: "see who got it" }).click();
  await expect(people(page, String(recipients.length))).toBeVisible();
  await expect(page.locator(".row-link").first()).toHaveText(recipients[0] ?? "");
  await page.locator(".row-link").first().click();
  await expect(page.getByRole("dialog").getByRole("listitem").first()).toHaveText(/^News for Freight.*just now.*Sent$/);
});

test("the overview suggests what to do next, and its numbers open the people they count", async ({ page, db }) => {
  const { rows } = await db.pool.query(
    `select count(*) filter (where confirmed_at is not null and invited_at is null and suppressed_at is null)::int as waiting,
       count(*) filter (where confirmed_at is null)::int as unconfirmed,
       (select count(*) from quarantine)::int as quarantined from sign_ups`,
  );
  const [{ waiting, unconfirmed, quarantined }] = rows;
  const next = page.getByRole("heading", { name: "Next" }).locator("xpath=ancestor::section");
  const number = (count: number) => count.toLocaleString("en");
  await expect(next.getByRole("listitem")).toHaveText([
    new RegExp(`^${number(waiting)} confirmed people are waiting; last wave \\d+ days agoInvite 200$`),
    `${number(quarantined)} in quarantineReview`,
    `${number(unconfirmed)} never confirmedReminder`,
  ]);
  await next.getByRole("link", { name: number(waiting), exact: true }).click();
  await expect(people(page, number(waiting))).toBeVisible();
  await open(page, "overview?range=all");
  const campaigns = page.locator(".campaigns tbody tr");
  for (const row of [0, 1]) {
    const [joined = ""] = await campaigns.nth(row).getByRole("link").allTextContents();
    await campaigns.nth(row).getByRole("link").first().click();
    await expect(people(page, joined)).toBeVisible();
    await page.goBack();
  }
  await page.getByRole("link", { name: "Reminder" }).click();
  await expect(button(page, "Turn on")).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "Invite 200" }).click();
  await expect(page.getByLabel("How many people")).toHaveValue("200");
});

test("a marketer finds the campaign that brings people who really come in, and opens them", async ({ page }) => {
  await open(page, "overview?range=all");
  const campaigns = page.locator(".campaigns");
  const header = (name: string) => campaigns.getByRole("columnheader", { name });
  await expect(header("Joined")).toHaveAttribute("aria-sort", "descending");
  await button(page, "Accepted").press("Enter");
  await expect(header("Accepted")).toHaveAttribute("aria-sort", "descending");
  await expect(header("Joined")).not.toHaveAttribute("aria-sort");
  const rows = campaigns.locator("tbody tr");
  // Skips the last row, which is the total.
  const texts = (await rows.locator("td:last-child a").allTextContents()).slice(0, -1);
  const accepted = texts.map((text) => Number(text.replaceAll(",", "")));
  expect(accepted).toEqual(accepted.toSorted((a, b) => b - a));
  await expect(rows.filter({ hasText: "reddit" }).getByRole("cell").nth(1)).toHaveText("0 0%");
  const [views = "", , , , everyone = ""] = await rows.last().locator("td").allTextContents();
  const share = (100 * Number.parseInt(everyone, 10)) / Number(views.replaceAll(",", ""));
  await expect(rows.last().getByRole("rowheader")).toHaveText(`Everyone ${share.toFixed(1)}% of views accepted`);
  // The sorted column's arrow doesn't make the page scroll.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  await expectNoViolations(page);
  const best = rows.filter({ hasText: "·" }).first();
  const [count = ""] = await best.locator("td:last-child a").allTextContents();
  await best.locator("td:last-child a").click();
  await expect(people(page, count)).toBeVisible();
  for (const filter of [/accepted=yes/, /source=\w/, /campaign=\w/]) await expect(page).toHaveURL(filter);
  const invite = page.getByRole("link", { name: "Invite these people" });
  await expect(invite).toHaveCount(0);
  await button(page, "Accepted").click();
  await invite.click();
  await expect(page.getByRole("heading", { name: "New invitation" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Source: / })).toBeVisible();
});

test("the tooltip rests on the peak and follows the pointer", async ({ page }) => {
  const chart = page.getByRole("img", { name: /^Sign-ups/ });
  const tooltip = page.locator(".tooltip");
  const summary = (await chart.getAttribute("aria-label")) ?? "";
  const atRest = (await tooltip.textContent()) ?? "?";
  expect(summary).toContain(`Most: ${atRest}.`);
  const box = await chart.boundingBox();
  await chart.hover({ position: { x: (box?.width ?? 0) - 2, y: 100 } });
  await expect(tooltip).not.toHaveText(atRest);
  await page.mouse.move(0, 0);
  await expect(tooltip).toHaveText(atRest);
});
