import type { Page } from "@playwright/test";
import { expectToastFor5Seconds, failToJoin, field, openToFail, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

async function setWindowFocus(page: Page, state: "focus" | "blur"): Promise<void> {
  await page.evaluate((type) => {
    document.hasFocus = () => type === "focus";
    dispatchEvent(new Event(type));
  }, state);
}

test("a toast that appears while another window has the focus stays for 5000 ms after its own has it", async ({
  page,
}) => {
  await openToFail(page);
  for (let time = 0; time < 2; time += 1) {
    await setWindowFocus(page, "blur");
    await failToJoin(page);
    await page.clock.runFor(60_000);
    await expect(toast(page)).toHaveAttribute("data-state", "open");
    await setWindowFocus(page, "focus");
    await page.clock.runFor(2000);
    // Leaving the window again pauses the toast's timer.
    await setWindowFocus(page, "blur");
    await page.clock.runFor(60_000);
    await expect(toast(page)).toHaveAttribute("data-state", "open");
    await setWindowFocus(page, "focus");
    await page.clock.runFor(2900);
    await expect(toast(page)).toHaveAttribute("data-state", "open");
    await page.clock.runFor(150);
    await expect(toast(page)).toHaveCount(0);
  }
  await failToJoin(page);
  await expectToastFor5Seconds(page);
});

test("a toast closes after 5000 ms even if the mouse clicked or swiped it by 49 px", async ({ page }) => {
  await openToFail(page);
  for (const by of [0, 49]) {
    await failToJoin(page);
    const { x = 0, y = 0 } = (await toast(page).boundingBox()) ?? {};
    await page.mouse.move(x + 40, y + 30);
    await page.mouse.down();
    await page.mouse.move(x + 40 + by, y + 30, { steps: 7 });
    await page.mouse.up();
    // The toast stays while the mouse is over it.
    await page.clock.runFor(60_000);
    await page.mouse.move(10, 10);
    await expect(field(page, "Company")).toBeFocused();
    await expectToastFor5Seconds(page);
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  for (const by of [0, 49]) {
    test(`a toast closes after 5000 ms even if it was ${by ? `swiped by ${by} px` : "tapped"}`, async ({ page }) => {
      await openToFail(page);
      await failToJoin(page);
      const { x = 0, y = 0 } = (await toast(page).boundingBox()) ?? {};
      const input = await page.context().newCDPSession(page);
      const touch = (type: "touchStart" | "touchMove" | "touchEnd", moved: number) =>
        input.send("Input.dispatchTouchEvent", {
          type,
          touchPoints: type === "touchEnd" ? [] : [{ x: x + 40 + moved, y: y + 30 }],
        });
      if (by) {
        await touch("touchStart", 0);
        for (let moved = 7; moved <= by; moved += 7) await touch("touchMove", moved);
        await expect(toast(page)).toHaveAttribute("data-swipe", "move");
        await touch("touchEnd", by);
      } else {
        await page.touchscreen.tap(x + 40, y + 30);
      }
      await expectToastFor5Seconds(page);
    });
  }
});
