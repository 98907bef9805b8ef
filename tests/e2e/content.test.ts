import type { Page } from "@playwright/test";
import { brand } from "#brand/brand.ts";
import * as content from "#brand/content.ts";
import { STATS_PATH } from "#contract/paths.ts";
import { pixels } from "#tests/support/pixels.ts";
import { expectInOrder, expectLandedAt, expectSeen, onEachScreen } from "#tests/support/screen.ts";
import { openFullyLoaded, openPage, toast } from "#tests/support/visitor.ts";
import { activate } from "#tests/support/visitors.ts";
import { expect, test } from "./fixtures.ts";

// German would format 1,247 as 1.247.
test.use({ locale: "de" });

const hero = (page: Page) => page.locator("main > section").first();

test("the hero shows badge, headline, tagline, buttons and scroll hint, centered", async ({ page }) => {
  await openPage(page);
  const [badge, hint] = [hero(page).locator(".badge"), page.locator(".scroll-hint")];
  const texts = hero(page).locator("p, h1 > span, a");
  await onEachScreen(page, async ({ width, height }) => {
    await expect(texts).toHaveText([
      content.badge,
      ...content.headline,
      content.tagline,
      content.join,
      content.learnMore,
      content.scrollHint,
    ]);
    await expectSeen(texts);
    await expectInOrder(texts);
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    for (const centered of [badge, page.locator("h1"), texts.nth(3), hint]) {
      const box = (await centered.boundingBox()) ?? { x: 0, width: 0 };
      expect(box.x + box.width / 2).toBeCloseTo(width / 2, 0);
    }
    const track = (await hint.locator("span").first().boundingBox()) ?? { y: 0, height: 0 };
    expect(track.y).toBeGreaterThan(height * 0.8);
    expect(track.y + track.height).toBeLessThan(height);

    // The dot left of the badge's text is round and green.
    const dot = (await badge.locator("span").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    expect([dot.width, dot.height]).toEqual([8, 8]);
    expect(dot.x).toBeLessThan(((await badge.boundingBox())?.x ?? 0) + 24);
    const [color] = await pixels(page, { x: dot.x + 3, y: dot.y + 3, width: 1, height: 1 });
    // If the browser fades on a separate layer, rounding changes a color channel by one.
    for (const [i, value] of [52, 211, 153].entries()) expect(Math.abs((color?.[i] ?? 0) - value)).toBeLessThan(2);
  });
});

test("the sections follow each other, with six cards, three points and the dashboard", async ({ page }) => {
  await openPage(page);
  const sections = page.locator("main > *, footer");
  const cards = page.locator("#features li");
  const points = page.locator("#about li:has(h3)");
  const values = page.locator("#about figure dl > div");
  await onEachScreen(page, async () => {
    const order = await sections.evaluateAll((all) => all.map((section) => section.id || section.tagName));
    expect(order).toEqual(["SECTION", "features", "about", "waitlist", "FOOTER"]);
    await expectInOrder(sections);
    await expectSeen(page.locator("main h2"));
    await expectInOrder(page.locator("h1, main h2, footer"));

    await expect(cards.locator("h3")).toHaveText(Object.keys(content.features));
    await expectSeen(cards.locator("h3, p"));
    await expectInOrder(cards);

    await expect(points.locator("h3")).toHaveText(Object.keys(content.aboutPoints));
    await expect(points.locator("p")).toHaveText(Object.values(content.aboutPoints));
    await expectSeen(points.locator("h3, p"));
    await expectInOrder(points);

    await expect(page.locator("#about figure figcaption")).toContainText(content.dashboardLabel);
    await expect(values).toHaveText(content.dashboardValues.map(({ name, value }) => name + value));
    const heights = await values.locator("dd").evaluateAll((all) => all.map((value) => value.clientHeight));
    expect(new Set(heights).size, "no value is broken into lines").toBe(1);
    await expectSeen(page.locator("#about figure").locator("figcaption > span, dt, dd"));
    await expectInOrder(values);
    await expectInOrder(page.locator("#features, #about figure, #waitlist"));
  });
});

test("the footer shows three columns, thirteen anchors that do something, and the year 2024", async ({ page }) => {
  await page.clock.install({ time: "2031-05-05" });
  await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/")]);
  const footer = page.locator("footer");
  const columns = footer.getByRole("navigation");
  await onEachScreen(page, async () => {
    await expect(columns.locator("h2")).toHaveText(Object.keys(content.footerColumns));
    await expectInOrder(columns);
    for (const [i, anchors] of Object.values(content.footerColumns).entries()) {
      const links = columns.nth(i).getByRole("link");
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual(
        Object.values(anchors),
      );
      await expectInOrder(columns.nth(i).locator("h2, a"));
    }
    const legal = footer.locator(".footer-legal a");
    await expect(legal).toHaveText(["Privacy", "Terms", "Cookies"]);
    await expectInOrder(legal);
    await expect(footer.locator('a[href^="#"]')).toHaveCount(13);
    await expectSeen(footer.locator('h2, a[href^="#"]'));

    const copyright = footer.getByText(`© ${content.COPYRIGHT_YEAR} ${brand.name}`, { exact: true });
    await expectSeen(copyright);
    expect((await footer.textContent())?.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g)).toEqual([`${content.COPYRIGHT_YEAR}`]);
  });
  // anchors.test.ts covers the legal links.
  await activate(footer.locator('a[href="#contact"]').last());
  await expectLandedAt(page.locator("#contact"));
  await expect(page.locator("#contact")).toHaveText(brand.mail);
  for (const [name, anchor] of Object.values(content.footerColumns).flatMap((links) => Object.entries(links))) {
    if (anchor === "#contact") continue;
    // Closes the previous toast, which may cover the link.
    await page.clock.fastForward(5000);
    const link = footer.getByText(name, { exact: true });
    await activate(link);
    await expect(toast(page)).toHaveText(`${content.upcoming} ${name}${content.upcomingOtherwise}`);
    await expect(link).toHaveAttribute("href", anchor);
  }
});

for (const path of ["/", "/anything/else"]) {
  test(`${path} has no sign-in`, async ({ page }) => {
    await openFullyLoaded(page, path);
    const name = /(sign|log)[ -]?(in|on)\b|account|portal/i;
    for (const role of ["link", "button"] as const) await expect(page.getByRole(role, { name })).toHaveCount(0);
    await expect(page.locator("input[type=password], [autocomplete*=password], dialog, iframe")).toHaveCount(0);
    const targets = await page
      .locator("a[href], form[action]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? one.getAttribute("action") ?? ""));
    const known = [/^#/, /^\/$/, /^mailto:/, /^\/api\/waitlist\/membership$/, /^\/api\/waitlist$/];
    expect(targets.filter((target) => !known.some((pattern) => pattern.test(target)))).toEqual([]);
  });
}

test("the dashboard's four values are static text that no request fetches", async ({ page }) => {
  const files = ["document", "script", "stylesheet", "font", "image", "manifest"];
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const isFile = files.includes(request.resourceType()) || pathname === "/icon.svg";
    if (!isFile) requests.push(`${request.method()} ${pathname}`);
  });
  page.on("websocket", (socket) => requests.push(socket.url()));
  await page.route("**/api/**", (route) => route.abort());
  await openFullyLoaded(page, "/");
  await page.locator("#about figure").scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  await expect(page.locator("#about dd")).toHaveText(content.dashboardValues.map(({ value }) => value));
  expect(requests).toEqual([`GET ${STATS_PATH}`]);
});
