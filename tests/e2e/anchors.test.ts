import { brand } from "#brand/brand.ts";
import * as content from "#brand/content.ts";
import { expectInOrder, expectLandedAt, expectSeen } from "#tests/support/screen.ts";
import { openPage, toast } from "#tests/support/visitor.ts";
import { activate } from "#tests/support/visitors.ts";
import { expect, test } from "./fixtures.ts";

const BAR = { ...content.navLinks, [content.navButton]: "#waitlist" };
const HERO = { [content.join]: "#waitlist", [content.learnMore]: "#features" };
const FOOTER = { Privacy: "#privacy", Terms: "#terms", Cookies: "#cookies" };

test("every link leads to its section, just below the navigation bar", async ({ page }) => {
  await openPage(page);
  const bar = page.getByRole("navigation", { name: "Main" });
  const menu = page.getByRole("button", { name: content.openMenu });
  const places = [
    { area: bar, links: BAR },
    { area: page.locator("main > section").first(), links: HERO },
    { area: page.locator("footer"), links: FOOTER },
  ];
  for (const { area, links } of places) {
    const isMenu = area === bar && (await menu.isVisible());
    if (area === bar && !isMenu) {
      await expect(area.getByRole("link")).toHaveText([brand.name, ...Object.keys(links)]);
      await expectSeen(area.getByRole("link"));
      await expectInOrder(area.getByRole("link"));
    }
    for (const [name, anchor] of Object.entries(links)) {
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      if (isMenu) await activate(menu);
      await activate(area.getByRole("link", { name, exact: true }));
      await expectLandedAt(page.locator(anchor).locator("h2"));
      expect(new URL(page.url()).hash).toBe(anchor);
    }
  }
});

test("a click on a footer link with Ctrl, Shift or the middle button opens a tab or window, without a toast", async ({
  page,
}) => {
  await openPage(page);
  for (const [name, anchor] of Object.entries({ Pricing: "#pricing", Community: "#community" })) {
    for (const key of ["Control", "Shift", "middle"] as const) {
      const opened = page.context().waitForEvent("page", { timeout: 15_000 });
      await page
        .locator("footer")
        .getByRole("link", { name })
        .click(key === "middle" ? { button: key } : { modifiers: [key] });
      await expect(await opened).toHaveURL(`/${anchor}`);
      await (await opened).close();
      await expect(toast(page)).toHaveCount(0);
    }
  }
  expect(new URL(page.url()).hash).toBe("");
});
