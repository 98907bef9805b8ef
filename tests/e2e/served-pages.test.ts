import type { Page } from "@playwright/test";
import { brand } from "#brand/brand.ts";
import * as content from "#brand/content.ts";
import { expectSeen, onEachScreen } from "#tests/support/screen.ts";
import { openFullyLoaded } from "#tests/support/visitor.ts";
import { CAMPAIGN } from "#tests/support/visitors.ts";
import { expect, test } from "./fixtures.ts";

test("/ is the landing page, in its HTML and once hydrated", async ({ page, request }) => {
  const response = await request.get("/");
  expect(response.status()).toBe(200);
  expect(await response.text()).toMatch(/<form [^>]*action="\/api\/waitlist" method="post"/);
  for (const path of ["/", `${CAMPAIGN}#about`]) {
    await openFullyLoaded(page, path);
    await expect(page).toHaveTitle(new RegExp(`^${brand.name}`));
    await expect(page.locator("h1, main h2")).toHaveText([
      content.headline.join(" "),
      content.featuresTitle,
      content.aboutTitle,
      content.waitlistTitle,
    ]);
    await expect(page.locator("form")).toBeVisible();
  }
});

test("every other path returns 404 and shows the not-found page, with a link home", async ({
  page,
  site,
  isProxied,
}) => {
  // nginx itself responds 400 to an invalid path.
  const invalid = isProxied ? [] : ["/%00", "/..%2f"];
  const similar = ["/About", "/features/", "/api-docs", "/index.html", "/not-found.html", "/assets/none.js"];
  // Anchor names aren't valid paths.
  await page.goto("/");
  const anchors = await page
    .locator('a[href^="#"]')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash));
  const named = [...new Set(anchors)].map((hash) => hash.replace("#", "/"));
  expect(named).toContain("/about");
  for (const path of ["/anything/else", "//", ...similar, ...named, ...invalid]) {
    const response = await page.request.get(site.origin + path, { maxRedirects: 0 });
    expect(response.status(), path).toBe(404);
    expect(response.headers()["content-type"], path).toContain("text/html");
    const html = await response.text();
    expect(html, path).toContain(`<title>${content.notFoundTitle}</title>`);
    expect(html, path).toContain(content.notFoundText);
  }
  for (const path of ["/about", "/waitlist/", "/index.html?x=1#features"]) {
    await openFullyLoaded(page, path);
    await expect(page).toHaveTitle(content.notFoundTitle);
    await expect(page.locator("main").locator("h1, p")).toHaveText([content.notFoundTitle, content.notFoundText]);
    await onEachScreen(page, () => expectSeen(page.locator("main").locator("h1, p")));
    await expect(page.locator("#waitlist, form")).toHaveCount(0);
    // The backdrop has a ring without a dot.
    await expect(page.locator(".sighting-ring")).toBeAttached();
    await expect(page.locator(".sighting-dot")).toBeHidden();
  }
  await page.getByRole("link", { name: content.home }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(content.headline[0]);
});

test("with JavaScript off, both pages show their text, all cards and a menu", async ({ page, browser, site }) => {
  const noScript = await browser.newContext({ javaScriptEnabled: false, baseURL: site.origin });
  const staticPage = await noScript.newPage();
  // biome-ignore lint/performance/useDomNodeTextContent: a visitor reads the rendered text
  const read = (from: Page) => from.locator("#root").innerText();
  // Only the numbers need JavaScript.
  const words = (text: string) => text.replace(/\d+/g, "#");
  for (const path of ["/anything/else", "/"]) {
    await openFullyLoaded(page, path);
    await staticPage.goto(path);
    expect(words(await read(staticPage))).toBe(words(await read(page)));
    expect(await read(staticPage)).not.toBe("");
  }
  for (const card of await staticPage.locator("#features li").all()) await expect(card).toHaveCSS("opacity", "1");
  await staticPage.setViewportSize({ width: 360, height: 740 });
  await staticPage.locator("button[popovertarget=menu]").click();
  await expect(staticPage.locator("#menu a").first()).toBeVisible();
  await noScript.close();
});
