import type { Page } from "@playwright/test";
import { brand } from "#brand/brand.ts";
import { STATS_PATH } from "#contract/paths.ts";
import { pixels } from "#tests/support/pixels.ts";
import { expectInOrder, expectLandedAt, expectSeen, onEachScreen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, mockSignUpResponse, openFullyLoaded, openPage, stat, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

// In German, 1,247 is 1.247.
test.use({ locale: "de", contextOptions: { reducedMotion: "reduce" } });

const hero = (page: Page) => page.locator("main > section").first();

test("the hero shows badge, headline, tagline, buttons and scroll hint, centered and below each other", async ({
  page,
}) => {
  await openPage(page);
  const [badge, parts, hint] = [hero(page).locator(".badge"), page.locator("h1 > span"), page.locator(".scroll-hint")];
  const texts = hero(page).locator("p, h1 > span, a");
  await onEachScreen(page, async ({ width, height }) => {
    await expect(texts).toHaveText([
      "Advanced Cybersecurity Solutions",
      "Secure Your",
      "Digital Future",
      "Cutting-edge cybersecurity solutions that protect a business from evolving threats with AI-powered defense mechanisms.",
      "Join the Waitlist",
      "Learn More",
      "Scroll",
    ]);
    await expectSeen(texts);
    await expectInOrder(texts);
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    for (const centered of [badge, parts.first(), parts.last(), texts.nth(3), hint]) {
      const box = (await centered.boundingBox()) ?? { x: 0, width: 0 };
      expect(box.x + box.width / 2).toBeCloseTo(width / 2, 0);
    }
    const hintBox = (await hint.boundingBox()) ?? { y: 0, height: 0 };
    const { height: heroHeight = 0 } = (await hero(page).boundingBox()) ?? {};
    expect(hintBox.y).toBeGreaterThan(height * 0.8);
    expect(hintBox.y + hintBox.height).toBeLessThanOrEqual(heroHeight);

    // The dot, left of the badge's words, is round and green.
    const dot = (await badge.locator("span").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    expect([dot.width, dot.height]).toEqual([8, 8]);
    expect(dot.x).toBeLessThan(((await badge.boundingBox())?.x ?? 0) + 24);
    expect((await pixels(page, { x: dot.x + 3, y: dot.y + 3, width: 1, height: 1 }))[0]).toEqual([52, 211, 153]);
  });
  // A phone in landscape.
  await page.setViewportSize({ width: 740, height: 360 });
  await expectSeen(texts);
});

test("hero, features, about, waitlist and footer follow each other, with six cards, three points and the dashboard", async ({
  page,
}) => {
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

    await expect(cards.locator("h3")).toHaveText([
      "AI-Powered Threat Detection",
      "Real-Time Monitoring",
      "Zero-Trust Architecture",
      "Advanced Analytics",
      "Cloud Security",
      "Expert Support",
    ]);
    await expectSeen(cards.locator("h3, p"));
    await expectInOrder(cards);

    await expect(points.locator("h3")).toHaveText([
      "Predictive Threat Intelligence",
      "Enterprise-Grade Security",
      "Compliance Ready",
    ]);
    await expect(points.last()).toHaveText(/GDPR, SOC 2 and HIPAA/);
    await expectSeen(points.locator("h3, p"));
    await expectInOrder(points);

    await expect(page.locator("#about figure figcaption")).toContainText("Sample data");
    await expect(values.locator("dt")).toHaveText(["Threat level", "Monitors", "Blocked attacks", "System health"]);
    await expect(values.locator("dd")).toHaveText(["LOW", "24/7", "1,247", "OPTIMAL"]);
    await expectSeen(page.locator("#about figure").locator("figcaption > span, dt, dd"));
    await expectInOrder(values);
    await expectInOrder(page.locator("#features, #about figure, #waitlist"));
  });
});

const COLUMNS = {
  Product: ["#pricing", "#security", "#integrations"],
  Company: ["#careers", "#blog", "#contact"],
  Support: ["#help", "#docs", "#status", "#community"],
};
const LEGAL = ["#privacy", "#terms", "#cookies"];

test("the footer shows three columns and legal links with thirteen anchors, all of which do something, and the year 2024", async ({
  page,
}) => {
  await page.clock.install({ time: "2031-05-05" });
  await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/")]);
  const footer = page.locator("footer");
  const columns = footer.getByRole("navigation");
  await onEachScreen(page, async () => {
    await expect(columns.locator("h2")).toHaveText(Object.keys(COLUMNS));
    await expectInOrder(columns);
    for (const [i, anchors] of Object.values(COLUMNS).entries()) {
      const links = columns.nth(i).getByRole("link");
      expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual(anchors);
      await expectInOrder(columns.nth(i).locator("h2, a"));
    }
    const legal = footer.locator(".footer-legal a");
    await expect(legal).toHaveText(["Privacy", "Terms", "Cookies"]);
    await expectInOrder(legal);
    await expect(footer.locator('a[href^="#"]')).toHaveCount(13);
    await expectSeen(footer.locator('h2, a[href^="#"]'));

    const copyright = footer.getByText(`© 2024 ${brand.name}`, { exact: true });
    await expectSeen(copyright);
    expect((await footer.textContent())?.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g)).toEqual(["2024"]);
  });
  for (const anchor of [...LEGAL, "#contact"]) {
    await footer.locator(`a[href="${anchor}"]`).last().click();
    await expectLandedAt(anchor === "#contact" ? page.locator(anchor) : page.locator(anchor).locator("h2"));
  }
  await expect(page.locator("#contact")).toHaveText(brand.mail);
  for (const anchor of Object.values(COLUMNS).flat()) {
    if (anchor === "#contact") continue;
    const name = (await footer.locator(`a[href="${anchor}"]`).textContent()) ?? "";
    const link = footer.getByText(name, { exact: true });
    await link.press("Enter");
    await expect(toast(page)).toHaveText(`Coming at launch: ${name}Join the waitlist for early access.`);
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
  await expect(page.locator("#about dd")).toHaveText(["LOW", "24/7", "1,247", "OPTIMAL"]);
  expect(requests).toEqual([`GET ${STATS_PATH}`]);
});

const QUIET = "rgb(169, 177, 198)";

test("the stats row shows data.totalUsers and data.companiesInterested, 0 for a missing one, and 45 on any day", async ({
  page,
}) => {
  let body = "";
  await page.route(`**${STATS_PATH}`, (route) =>
    body ? route.fulfill({ body, contentType: "application/json" }) : route.fulfill({ status: 503 }),
  );
  await page.clock.install({ time: "2025-03-01" });
  for (const [response, users, companies] of [
    ["", "0", "0"],
    ["null", "0", "0"],
    ['{"totalUsers":3,"companiesInterested":4}', "0", "0"],
    ['{"data":{"totalUsers":"many","companiesInterested":{}}}', "0", "0"],
    ['{"data":{"totalUsers":1e999,"companiesInterested":-1e999}}', "0", "0"],
    ['{"data":{"totalUsers":7}}', "7", "0"],
    ['{"data":{"companiesInterested":1000}}', "0", "1,000"],
    ['{"data":{"totalUsers":12345,"companiesInterested":678,"daysToLaunch":1}}', "12,345", "678"],
  ] as const) {
    body = response;
    await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/")]);
    await expect(stat(page, "Total users"), response).toHaveText(users);
    await expect(stat(page, "Companies interested"), response).toHaveText(companies);
    await expect(stat(page, "Days to Launch")).toHaveText("45");
    // A number that is still 0 is shown in the quiet color.
    await expect(stat(page, "Total users")).toHaveCSS("color", users === "0" ? QUIET : "rgb(244, 246, 251)");
    await expect(toast(page)).toHaveCount(0);
  }
  await page.clock.fastForward(50 * 24 * 60 * 60 * 1000);
  await mockSignUpResponse(page, 201, '{"data":{"totalUsers":12346,"companiesInterested":679,"daysToLaunch":1}}');
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.locator("#waitlist dl").locator("dt, dd")).toHaveText([
    "Total users",
    "12,346",
    "Companies interested",
    "679",
    "Days to Launch",
    "45",
  ]);
  await onEachScreen(page, async () => {
    await expectSeen(page.locator("#waitlist dl").locator("dt, dd"));
    await expectInOrder(page.locator("#waitlist dl > div"));
  });
});
