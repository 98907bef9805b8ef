import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { renderReport } from "#cli/report/page.ts";
import type { ReportNumbers } from "#core/waitlist/report-numbers.ts";
import { emptyNumbers, sampleNumbers } from "#tests/support/report-numbers.ts";

/** From a file, without a server, as an operator would. */
async function open(page: Page, numbers: ReportNumbers): Promise<string> {
  const file = test.info().outputPath("report.html");
  await writeFile(file, renderReport(numbers));
  const address = pathToFileURL(file).href;
  await page.goto(address);
  return address;
}

const charts = (page: Page) => page.locator("svg[role=img]");

test("the report makes no requests, embeds its font, and logs nothing to the console", async ({ page }) => {
  const requests: string[] = [];
  const messages: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => messages.push(message.text()));
  const address = await open(page, sampleNumbers());
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`))).toEqual([
    "Geist loaded",
  ]);
  expect(requests.filter((url) => !url.startsWith("data:"))).toEqual([address]);
  expect(messages).toEqual([]);
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const [name, numbers] of Object.entries({ "a list": sampleNumbers(), "an empty list": emptyNumbers() })) {
    test(`axe finds no violations in the ${colorScheme} report about ${name}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await open(page, numbers);
      for (const summary of await page.locator("summary").all()) await summary.click();
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    });
  }
}

test("every chart has a table with its data", async ({ page }) => {
  await open(page, sampleNumbers());
  const tables = page.locator("section:has(svg[role=img]) > details table");
  expect(await charts(page).count()).toBe(5);
  expect(await tables.count()).toBe(5);
  const rows = (title: string) =>
    tables.filter({ has: page.locator("caption", { hasText: title }) }).locator("tbody tr");
  expect(await rows("Sign-ups per hour").allTextContents()).toHaveLength(72);
  expect((await rows("Invited per day").allTextContents())[2]).toBe("Nov 10, 20265");
  expect((await tables.first().locator("tbody tr").allTextContents())[0]).toBe("Nov 12, 202648");
});

test("every chart has a summary for screen readers", async ({ page }) => {
  await open(page, sampleNumbers());
  const summaries = await charts(page).evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  expect(summaries).toContain("Invited per day. Last 20 days, UTC. Peak: 5 on Nov 10, 2026.");
});

test("HTML in company names, domains and sources is shown as text", async ({ page }) => {
  const hostile = `<img src=x onerror="document.title='taken'">&lt;'`;
  const named = { name: hostile, signUps: 1 };
  await open(
    page,
    sampleNumbers({
      topCompanies: [named],
      topDomains: [named],
      topSources: [{ source: hostile, medium: hostile, campaign: hostile, signUps: 1 }],
    }),
  );
  await expect(page.getByText(hostile, { exact: true })).toHaveCount(5);
  await expect(page.locator("img")).toHaveCount(0);
});

test("an empty list shows messages instead of empty charts", async ({ page }) => {
  await open(page, emptyNumbers());
  await expect(page.getByText("No sign-ups yet.")).toBeVisible();
  await expect(page.getByText("No sign-ups in the last 72 hours.")).toBeVisible();
  await expect(charts(page)).toHaveCount(0);
});

for (const width of [320, 400, 820, 1280]) {
  test(`at ${width} px chart labels don't overlap or leave their card`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(page, sampleNumbers());
    const labels = await page.locator("section:has(svg[role=img])").evaluateAll((cards) =>
      cards.map((card) => {
        const boxes = [...card.querySelectorAll("svg text")].map((label) => label.getBoundingClientRect());
        const { left, right } = card.getBoundingClientRect();
        return { left, right, boxes: boxes.filter((box) => box.width > 0) };
      }),
    );
    const overlap = (a: DOMRect, b: DOMRect) =>
      a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom;
    for (const { left, right, boxes } of labels) {
      expect(boxes.length).toBeGreaterThan(5);
      expect(boxes.filter((one) => boxes.some((other) => other !== one && overlap(one, other)))).toEqual([]);
      expect(boxes.filter((one) => one.left < left || one.right > right)).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}
