import { expect, type Locator, type Page } from "@playwright/test";
import { type Screen, visitor } from "./visitors.ts";

/** A color token of brand/, as browsers compute it. */
export function computedColor(token: string): string {
  const isHex = token.startsWith("#");
  return isHex
    ? `rgb(${Buffer.from(token.slice(1), "hex").join(", ")})`
    : `rgba(${token.match(/[\d.]+/g)?.join(", ")})`;
}

/** A wide screen and a phone, for tests without a visitor. */
const SCREENS = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
];

/** Calls `look` at each of the visitor's screen sizes. */
export async function onEachScreen(page: Page, look: (screen: Screen) => Promise<void>): Promise<void> {
  for (const screen of visitor()?.screens ?? SCREENS) {
    await page.setViewportSize(screen);
    await look(screen);
  }
}

/** Scrolls to each text; returns those that are hidden, clipped, covered, transparent or in the background's color. */
async function unseen(texts: Locator): Promise<string[]> {
  return texts.evaluateAll((elements) => {
    const ancestors = (element: Element | null): Element[] =>
      element ? [element, ...ancestors(element.parentElement)] : [];
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const light = (color: string) => {
      const [red = 0, green = 0, blue = 0] = channels(color);
      return 0.3 * red + 0.6 * green + 0.1 * blue;
    };
    function isReadable(element: Element): boolean {
      const { color, backgroundClip, backgroundImage, fontSize } = getComputedStyle(element);
      if (Number.parseFloat(fontSize) < 11) return false;
      if (backgroundClip === "text") return backgroundImage.includes("gradient");
      const [, , , alpha = 1] = channels(color);
      const ground = ancestors(element)
        .flatMap((one) => {
          const style = getComputedStyle(one);
          return `${style.backgroundColor} ${style.backgroundImage}`.match(/rgba?\([^)]*\)/g) ?? [];
        })
        .find((one) => (channels(one)[3] ?? 1) > 0.5);
      return alpha > 0.5 && Math.abs(light(color) - light(ground ?? "rgb(0, 0, 0)")) > 90;
    }
    function isSeen(element: Element): boolean {
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const opacity = ancestors(element).reduce((product, one) => product * Number(getComputedStyle(one).opacity), 1);
      // A disabled button is half transparent.
      const least = element.matches(":disabled") ? 0.5 : 0.95;
      if (opacity < least || !element.checkVisibility({ visibilityProperty: true })) return false;
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      if (right - left < 4 || left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) return false;
      const isCut = ancestors(element).some((one) => {
        const box = one.getBoundingClientRect();
        return getComputedStyle(one).overflowX !== "visible" && (left < box.left - 1 || right > box.right + 1);
      });
      if (isCut) return false;
      const lines = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
      const isUncovered = lines.every((line) =>
        element.contains(document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2)),
      );
      return lines.length > 0 && isUncovered && isReadable(element);
    }
    return elements.filter((element) => !isSeen(element)).map((element) => element.textContent ?? "");
  });
}

/** Expects each of these texts to be readable on the screen, once scrolled to. */
export async function expectSeen(texts: Locator): Promise<void> {
  expect(await texts.count(), String(texts)).toBeGreaterThan(0);
  if ((await unseen(texts)).length === 0) return;
  // Some texts appear only some time after they have been scrolled to.
  for (const text of await texts.all()) await expect.poll(() => unseen(text)).toEqual([]);
}

/** Expects each element to be below the previous one, or to its right in the same row. */
export async function expectInOrder(elements: Locator): Promise<void> {
  const misplaced = await elements.evaluateAll((all) => {
    const boxes = all.map((element) => element.getBoundingClientRect());
    return all.slice(1).flatMap((element, i) => {
      const [before, after] = [boxes[i], boxes[i + 1]];
      // Lines of a headline overlap a little.
      if (!before || !after || after.top >= before.bottom - 0.2 * before.height - 1) return [];
      return after.left >= before.right - 1 && after.bottom > before.top ? [] : [element.textContent?.slice(0, 80)];
    });
  });
  expect(misplaced).toEqual([]);
}

const BAR_PX = 64;
const MAX_GAP_PX = 48;

/** Expects the label to be just below the navigation bar, or as near to it as the page's end allows. */
export async function expectLandedAt(label: Locator): Promise<void> {
  const place = () =>
    label.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      const isAtEnd = Math.ceil(scrollY + innerHeight) >= document.documentElement.scrollHeight;
      const isUncovered = element.contains(document.elementFromPoint(left + 3, top + 8));
      return { top, isAtEnd, isUncovered };
    });
  await expect(async () => {
    const { top, isAtEnd, isUncovered } = await place();
    expect(top).toBeGreaterThanOrEqual(BAR_PX);
    if (!isAtEnd) expect(top).toBeLessThanOrEqual(BAR_PX + MAX_GAP_PX);
    expect(isUncovered).toBe(true);
  }).toPass({ timeout: 15_000 });
}
