import { openPage, submit } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("with text at 200%, nothing is cut off and the page doesn't scroll horizontally", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const cutOff = await page.evaluate(() =>
    [...document.querySelectorAll("main *, footer *")]
      .filter((element) => !element.closest("[aria-hidden=true]") && element.getBoundingClientRect().right > 390)
      .map((element) => element.outerHTML.slice(0, 80)),
  );
  expect(cutOff).toEqual([]);
});

test("print shows the headline, all six cards and the form's errors in dark ink", async ({ page }) => {
  await openPage(page);
  await submit(page);
  await expect(page.locator("form p.text-bad")).toHaveCount(3);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".backdrop")).toBeHidden();
  await expect(page.locator(".pills")).toBeHidden();
  const texts = page.locator("h1 span, .feature h3, .feature p, #about h3, #waitlist h2, form p, footer p");
  await expect(page.locator(".feature h3")).toHaveCount(6);
  const unreadable = () =>
    texts.evaluateAll((elements) =>
      elements
        .filter((element) => !element.checkVisibility({ opacityProperty: true }))
        .concat(elements.filter((element) => getComputedStyle(element).color !== "rgb(0, 0, 0)"))
        .map((element) => element.textContent),
    );
  await expect.poll(unreadable).toEqual([]);
});
