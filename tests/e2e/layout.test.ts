import { brand } from "#brand/brand.ts";
import { openFullyLoaded, openPage } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const SIZES = [
  { width: 320, height: 568 },
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

for (const size of SIZES) {
  test.describe(`at ${size.width} × ${size.height}`, () => {
    test.use({ viewport: size, contextOptions: { reducedMotion: "reduce" } });

    test("the hero fills the viewport on a near-black background", async ({ page }) => {
      await page.goto("/");
      const hero = await page.locator("main > section").first().boundingBox();
      expect(hero).toMatchObject({ x: 0, y: 0, width: size.width });
      expect(hero?.height).toBeGreaterThanOrEqual(size.height);
      await expect(page.locator("html")).toHaveCSS("background-color", "rgb(5, 6, 10)");
    });

    test("the decorative pills never overlap the hero text", async ({ page }) => {
      await page.goto("/");
      const overlaps = await page.evaluate(() => {
        const textRects = [...document.querySelectorAll(".hero-item")].map((item) => {
          const range = document.createRange();
          range.selectNodeContents(item);
          return range.getBoundingClientRect();
        });
        // Samples points of each rotated pill and looks for one inside a text rectangle.
        return [...document.querySelectorAll<HTMLElement>(".pill > * > *")].flatMap((pill, index) => {
          const box = pill.getBoundingClientRect();
          const rotation = new DOMMatrix(`rotate(${getComputedStyle(pill).rotate})`);
          const points: { x: number; y: number }[] = [];
          for (let u = 0; u <= 1; u += 0.02) {
            for (let v = 0; v <= 1; v += 0.1) {
              const local = new DOMPoint((u - 0.5) * pill.offsetWidth, (v - 0.5) * pill.offsetHeight);
              const { x, y } = local.matrixTransform(rotation);
              points.push({ x: box.x + box.width / 2 + x, y: box.y + box.height / 2 + y });
            }
          }
          const floatPx = 15;
          const overlapped = textRects.findIndex((rect) =>
            points.some(({ x, y }) => x > rect.left && x < rect.right && y + floatPx > rect.top && y < rect.bottom),
          );
          return overlapped < 0 ? [] : [`pill ${index} and text ${overlapped}`];
        });
      });
      expect(overlaps).toEqual([]);
    });

    test("the page doesn't scroll horizontally", async ({ page }) => {
      await page.goto("/");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
    });
  });
}

test("the page has a near-black background and a full-screen backdrop fixed behind the content", async ({ page }) => {
  await page.goto("/");
  const backdrop = page.locator(".backdrop");
  await expect(backdrop).toHaveCSS("position", "fixed");
  await expect(backdrop).toHaveCSS("background-color", "rgb(5, 6, 10)");
  expect(Number(await backdrop.evaluate((element) => getComputedStyle(element).zIndex))).toBeLessThan(0);
  await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
  expect(await backdrop.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() });
});

test("the navigation bar stays fixed at the top", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("banner")).toHaveCSS("position", "fixed");
  await page.evaluate(() => scrollTo({ top: 1500, behavior: "instant" }));
  expect(await page.getByRole("banner").boundingBox()).toMatchObject({ x: 0, y: 0 });
});

test("the navigation bar is transparent over the hero and dark once the page scrolls", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("banner")).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await page.evaluate(() => scrollTo({ top: 400, behavior: "instant" }));
  await expect(page.getByRole("banner")).toHaveCSS("background-color", /rgba\(5, 6, 10, 0\.7/);
});

test("the navigation bar links Features → #features, About → #about, Contact → #waitlist", async ({ page }) => {
  await page.goto("/");
  const bar = page.getByRole("navigation", { name: "Main" });
  for (const [name, href] of Object.entries({ Features: "#features", About: "#about", Contact: "#waitlist" })) {
    await expect(bar.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  }
});

test("the navigation bar's Join Waitlist button leads to #waitlist", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Join Waitlist" }).click();
  await expect(page).toHaveURL(/#waitlist$/);
  await expect(page.locator("#waitlist")).toBeInViewport();
});

test("the page doesn't scroll horizontally at 400% zoom", async ({ page }) => {
  // A window of 1280 px at 400% zoom is 320 CSS pixels wide.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto("/");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("the layout doesn't shift while loading or scrolling", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await openFullyLoaded(page, "/");
  for (let top = 0; top < 5000; top += 500) {
    await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
});

test.describe("on a small screen", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("a toggle opens and closes the navigation links", async ({ page }) => {
    await openPage(page);
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    await expect(links).toHaveText([brand.name]);
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("button", { name: "Close menu" })).toHaveAttribute("aria-expanded", "true");
    await expect(links).toHaveText([brand.name, "Features", "About", "Contact", "Join Waitlist"]);
    for (const link of await links.all()) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.getByRole("button", { name: "Close menu" }).click();
    await expect(links).toHaveText([brand.name]);
    await expect(page.getByRole("button", { name: "Open menu" })).toHaveAttribute("aria-expanded", "false");
  });

  test("the menu closes when a link is chosen, on Escape and on a tap outside", async ({ page }) => {
    await openPage(page);
    const open = page.getByRole("button", { name: "Open menu" });
    const about = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About" });

    await open.click();
    await about.click();
    await expect(about).toBeHidden();
    await expect(page.locator("#about")).toBeInViewport();

    await open.click();
    await page.keyboard.press("Escape");
    await expect(about).toBeHidden();
    await expect(open).toBeFocused();

    await open.click();
    await page.mouse.click(180, 700);
    await expect(about).toBeHidden();
  });

  test("the open menu traps focus", async ({ page }) => {
    await openPage(page);
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("button", { name: "Close menu" })).toBeVisible();
    const names = [];
    for (let tab = 0; tab < 6; tab += 1) {
      await page.keyboard.press("Tab");
      names.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
        ),
      );
    }
    expect(names).toEqual(["Features", "About", "Contact", "Join Waitlist", "Close menu", "Features"]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await expect(page.getByRole("link", { name: "Join Waitlist", exact: true })).toBeFocused();
  });

  test("the menu opens without JavaScript", async ({ browser, site }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(site.origin);
    await page.locator("button[popovertarget=menu]").click();
    await expect(page.locator("#menu a").first()).toBeVisible();
    await context.close();
  });
});
