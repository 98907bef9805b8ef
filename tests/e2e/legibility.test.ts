import { openPage, submit } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

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
