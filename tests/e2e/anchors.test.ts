import { brand } from "#brand/brand.ts";
import { expectInOrder, expectLandedAt, expectSeen } from "#tests/support/screen.ts";
import { openPage, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const BAR = { Features: "#features", About: "#about", Contact: "#waitlist", "Join Waitlist": "#waitlist" };
const HERO = { "Join the Waitlist": "#waitlist", "Learn More": "#features" };
const FOOTER = { Privacy: "#privacy", Terms: "#terms", Cookies: "#cookies" };
for (const [width, height] of [
  [360, 740],
  [1280, 800],
] as const) {
  test(`at ${width} px every link leads to its section, by click and by Enter`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openPage(page);
    const bar = page.getByRole("navigation", { name: "Main" });
    const places = [
      { area: bar, links: BAR },
      { area: page.locator("main > section").first(), links: HERO },
      { area: page.locator("footer"), links: FOOTER },
    ];
    for (const { area, links } of places) {
      const isMenu = area === bar && width < 768;
      if (area === bar && !isMenu) {
        await expect(area.getByRole("link")).toHaveText([brand.name, ...Object.keys(links)]);
        await expectSeen(area.getByRole("link"));
        await expectInOrder(area.getByRole("link"));
      }
      for (const [name, anchor] of Object.entries(links)) {
        for (const input of ["click", "Enter"]) {
          await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
          if (isMenu) await page.getByRole("button", { name: "Open menu" }).click();
          const link = area.getByRole("link", { name, exact: true });
          if (input === "click") await link.click();
          else await link.press("Enter");
          await expectLandedAt(page.locator(anchor).locator("h2"));
        }
        expect(new URL(page.url()).hash).toBe(anchor);
      }
    }
  });
}

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
