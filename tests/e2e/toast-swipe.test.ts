import { openPage, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("a toast that is swiped away fades out where the swipe ended", async ({ page }) => {
  await openPage(page);
  await page.locator("footer").getByRole("link", { name: "Blog" }).click();
  const box = await toast(page).boundingBox();
  if (!box) throw new Error("No toast to swipe");
  const swipedBy = toast(page).evaluate(
    (element) =>
      new Promise((resolve) => {
        new MutationObserver(() => {
          if (element.dataset.state === "closed") resolve(new DOMMatrix(getComputedStyle(element).transform).e);
        }).observe(element, { attributes: true });
      }),
  );
  const [x, y] = [box.x + 40, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 90, y, { steps: 10 });
  await page.mouse.up();
  expect(await swipedBy).toBe(90);
  await expect(toast(page)).toHaveCount(0);
});
