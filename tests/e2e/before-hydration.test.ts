import type { Page } from "@playwright/test";
import * as content from "#brand/content.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  FIRST_SCRIPT,
  field,
  fillIn,
  HYDRATION_SCRIPT,
  holdRequests,
  joinedTitle,
  recordCalls,
  submit,
  toast,
  untilRecorded,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const posts = (calls: string[]) => calls.filter((call) => call === `POST ${WAITLIST_PATH}`);

/** Seeks the animations that reveal the button to this time, and pauses them. */
async function seek(page: Page, ms: number): Promise<void> {
  const seekAll = () =>
    page.locator("form").evaluate((form, currentTime) => {
      const animations = form.getAnimations({ subtree: true }).filter((one) => one instanceof CSSAnimation);
      for (const animation of animations) {
        animation.pause();
        animation.currentTime = currentTime;
      }
      return animations.length;
    }, ms);
  await expect.poll(seekAll).toBe(2);
}

for (const [name, script] of Object.entries({ first: FIRST_SCRIPT, hydration: HYDRATION_SCRIPT })) {
  test(`while the ${name} script is late, the form sends nothing for 3000 ms, then the browser posts it`, async ({
    page,
  }) => {
    const calls = recordCalls(page);
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await holdRequests(page, script);
    await page.goto("/", { waitUntil: "commit" });
    await seek(page, 0);
    await fillIn(page, aSignUp());
    for (const [ms, passed] of [
      [0, 0],
      [3000, 3000],
      [3999, 999],
    ] as const) {
      await seek(page, ms);
      await page.clock.runFor(passed);
      await field(page, "Company").press("Enter");
      await expect(button(page)).toHaveText(content.join);
      await expect(button(page)).toBeDisabled();
      await button(page).click({ force: true });
    }
    await untilRecorded(page);
    expect(posts(calls)).toEqual([]);
    await seek(page, 4000);
    await expect(button(page)).toHaveText(content.join);
    await submit(page);
    await expect(page).toHaveURL(/\/#joined$/);
    expect(posts(calls)).toHaveLength(1);
  });
}

test("what is entered before a hydration mismatch is kept, with its focus, and joins", async ({ page }) => {
  const ada = aSignUp({ company: "Acme", newsletter: true });
  const calls = recordCalls(page);
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await page.clock.install();
  await page.goto("/");
  await fillIn(page, ada);
  await field(page, "Email").fill("");
  await field(page, "Email").pressSequentially(ada.email.slice(0, 5));
  // Password managers insert a button after the field.
  await field(page, "Email").evaluate((input) => input.after(document.createElement("div")));
  const hydrated = page.waitForResponse(`**${STATS_PATH}`);
  release();
  await hydrated;
  await expect(page.locator("form div:empty")).toHaveCount(0);
  await expect(field(page, "Email")).toBeFocused();
  await page.keyboard.type(ada.email.slice(5));
  await page.clock.fastForward(3000);
  const request = page.waitForRequest(`**${WAITLIST_PATH}`);
  await submit(page);
  expect((await request).postDataJSON()).toEqual(ada);
  await expect(joinedTitle(page)).toBeVisible();
  await expect(toast(page)).toContainText(content.joinedToast);
  expect(posts(calls)).toHaveLength(1);
});

for (const way of ["a click", "Enter"]) {
  test(`if hydration is late, ${way} posts the form once, and the button says Joining...`, async ({ page }) => {
    const calls = recordCalls(page);
    const release = await holdRequests(page, HYDRATION_SCRIPT);
    const respond = await holdRequests(page, `**${WAITLIST_PATH}`);
    // Uses the real clock, because a fake one hides the redirect from the next page.
    await page.goto("/");
    await fillIn(page, aSignUp());
    await expect(page.locator("#not-yet")).toBeEnabled();
    await seek(page, 4000);
    // Logs changes in the page, because Playwright can't query a page that is navigating.
    const looks: string[] = [];
    page.on("console", (message) => message.text().startsWith("looks") && looks.push(message.text()));
    await page.locator("form").evaluate((form) => {
      new MutationObserver(() => {
        const button = [...form.querySelectorAll("button")].at(-1);
        console.log(`looks ${button?.textContent} ${button?.disabled ? "disabled" : "enabled"}`);
      }).observe(form, { childList: true, subtree: true, attributeFilter: ["novalidate"] });
    });
    const submitted = way === "Enter" ? field(page, "Company").press("Enter") : submit(page);
    await expect.poll(() => looks).toEqual([`looks ${content.joining} disabled`]);
    // Hydration before the response doesn't change the button.
    release();
    await expect.poll(() => looks.length).toBeGreaterThan(1);
    expect(new Set(looks)).toEqual(new Set([`looks ${content.joining} disabled`]));
    respond();
    await submitted;
    await expect(toast(page)).toContainText(content.joinedToast);
    await expect(joinedTitle(page)).toBeInViewport();
    expect(posts(calls)).toHaveLength(1);
  });
}

test("a button focused before hydration keeps the focus", async ({ page }) => {
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await page.clock.install();
  await page.goto("/");
  await fillIn(page, aSignUp());
  await seek(page, 4000);
  await button(page).focus();
  const hydrated = page.waitForResponse(`**${STATS_PATH}`);
  release();
  await hydrated;
  await expect(button(page)).toBeFocused();
  await page.clock.fastForward(3000);
  await page.keyboard.press("Enter");
  await expect(joinedTitle(page)).toBeVisible();
});
