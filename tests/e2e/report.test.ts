import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { renderReport } from "#cli/report/page.ts";
import type { ReportNumbers } from "#core/waitlist/report-numbers.ts";
import { noNumbers, someNumbers } from "#tests/support/report-numbers.ts";

/** As an operator would: a file, and no server. */
async function open(page: Page, numbers: ReportNumbers): Promise<string> {
  const file = test.info().outputPath("report.html");
  await writeFile(file, renderReport(numbers));
  const address = pathToFileURL(file).href;
  await page.goto(address);
  return address;
}

const charts = (page: Page) => page.locator("svg[role=img]");

test("the report asks nobody for anything, has its typeface in it and is not complained about", async ({ page }) => {
  const asked: string[] = [];
  const said: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => said.push(message.text()));
  const address = await open(page, someNumbers());
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`))).toEqual([
    "Geist loaded",
  ]);
  expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([address]);
  expect(said).toEqual([]);
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const [which, numbers] of Object.entries({ "a list": someNumbers(), "an empty list": noNumbers() })) {
    test(`axe finds nothing in the report about ${which}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await open(page, numbers);
      for (const summary of await page.locator("summary").all()) await summary.click();
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    });
  }
}

test("behind every chart is a table with its numbers", async ({ page }) => {
  await open(page, someNumbers());
  const tables = page.locator("section:has(svg[role=img]) > details table");
  expect(await charts(page).count()).toBe(5);
  expect(await tables.count()).toBe(5);
  const rows = (title: string) =>
    tables.filter({ has: page.locator("caption", { hasText: title }) }).locator("tbody tr");
  expect(await rows("Sign-ups per hour").allTextContents()).toHaveLength(72);
  expect((await rows("Invited per day").allTextContents())[2]).toBe("10 Nov 20265");
  expect((await tables.first().locator("tbody tr").allTextContents())[0]).toBe("12 Nov 202648");
});

test("every chart says its gist", async ({ page }) => {
  await open(page, someNumbers());
  const gists = await charts(page).evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  expect(gists).toContain("Invited per day. The last 20 days, UTC. Most: 5 on 10 Nov 2026.");
});

test("what strangers typed is shown as text", async ({ page }) => {
  const hostile = `<img src=x onerror="document.title='taken'">&lt;'`;
  const named = { name: hostile, signUps: 1 };
  await open(
    page,
    someNumbers({
      topCompanies: [named],
      topDomains: [named],
      topSources: [{ source: hostile, medium: hostile, campaign: hostile, signUps: 1 }],
    }),
  );
  await expect(page.getByText(hostile, { exact: true })).toHaveCount(5);
  await expect(page.locator("img")).toHaveCount(0);
});

test("an empty list is told in words instead of empty charts", async ({ page }) => {
  await open(page, noNumbers());
  await expect(page.getByText("The curve begins with the first sign-up.")).toBeVisible();
  await expect(page.getByText("Nobody joined in the last 72 hours.")).toBeVisible();
  await expect(charts(page)).toHaveCount(0);
});

for (const width of [320, 400, 820, 1280]) {
  test(`at ${width} px no label touches another, and none leaves its card`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(page, someNumbers());
    const labels = await page.locator("section:has(svg[role=img])").evaluateAll((cards) =>
      cards.map((card) => {
        const boxes = [...card.querySelectorAll("svg text")].map((label) => label.getBoundingClientRect());
        const { left, right } = card.getBoundingClientRect();
        return { left, right, boxes: boxes.filter((box) => box.width > 0) };
      }),
    );
    const touch = (a: DOMRect, b: DOMRect) =>
      a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom;
    for (const { left, right, boxes } of labels) {
      expect(boxes.length).toBeGreaterThan(5);
      expect(boxes.filter((one) => boxes.some((other) => other !== one && touch(one, other)))).toEqual([]);
      expect(boxes.filter((one) => one.left < left || one.right > right)).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}
