import type { Page } from "@playwright/test";
import fc from "fast-check";
import * as content from "#brand/content.ts";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { type Answer, duplicates, once, otherFailures, respond, success } from "#tests/support/answers.ts";
import { expectSeen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  expectToast,
  expectToastFor5Seconds,
  failToJoin,
  field,
  joinedTitle,
  openFilledIn,
  openToFail,
  pauseClock,
  recordCalls,
  runUntilToast,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { activate } from "#tests/support/visitors.ts";
import { expect, test } from "./fixtures.ts";

/** Expects the toast to stay for exactly 5000 ms. The clock must be paused before it appears. */
async function expectExactly5Seconds(page: Page): Promise<void> {
  await page.clock.runFor(4999);
  await expect(toast(page)).toHaveAttribute("data-state", "open");
  await expect(toast(page)).toBeInViewport({ ratio: 1 });
  await page.clock.runFor(2);
  await expect(toast(page)).toHaveCount(0);
}

const FAILED = "Failed to join waitlist. Please try again.";
const DUPLICATE = "This email is already on our waitlist.";

for (const [name, answers, message] of [
  ['an error that contains "already on the waitlist", whatever its status,', duplicates, DUPLICATE],
  ["any other failure, of any status, of the network or of the JSON,", otherFailures, FAILED],
] as const) {
  test(`${name} shows the toast Error: ${message} and leaves the form as it was`, async ({ page }) => {
    let answer: Answer | undefined;
    await page.route(`**${WAITLIST_PATH}`, (route) => answer && respond(route, answer));
    await openFilledIn(page, aSignUp({ company: "Acme", newsletter: true }));
    const calls = recordCalls(page);
    const values = page.locator("form input:not([type=checkbox])");
    const texts = () => values.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    const typed = await texts();
    expect(typed).toContain("Acme");
    const send = async (next: Answer) => {
      answer = next;
      await toast(page).evaluateAll((old) => {
        for (const one of old as HTMLElement[]) one.dataset.seen = "";
      });
      await field(page, "Company").press("Enter");
    };
    await once(fc.tuple(answers as fc.Arbitrary<Answer[]>, success), async ([failures, joined]) => {
      for (const failure of failures) {
        await send(failure);
        const context = `${failure.status} ${failure.aborted ?? JSON.stringify(failure.body).slice(0, 300)}`;
        await expect(page.locator(".toast:not([data-seen])"), context).toHaveText(`Error${message}`);
        await expect(button(page), context).toBeEnabled();
        await expect(button(page), context).toHaveText(content.join);
        expect(await texts(), context).toEqual(typed);
      }
      await pauseClock(page);
      await expectToast(page, "destructive", "Error", message);
      await expect(page.locator("#waitlist")).not.toContainText("Joined");
      await expect(page.getByRole("checkbox")).toBeChecked();
      await expectSeen(button(page));
      expect(calls).toEqual(failures.map(() => `POST ${WAITLIST_PATH}`));
      await page.clock.runFor(5000);
      await expect(toast(page)).toHaveCount(0);

      await send(joined);
      await runUntilToast(page);
      await expectToast(page, "default", content.joinedToast, content.joinedToastText);
      await expectToastFor5Seconds(page);
      await expect(joinedTitle(page)).toBeVisible();
    });
  });
}

test("at most one toast is visible: a new one replaces it, stays for 5000 ms and then closes", async ({ page }) => {
  const counts: number[] = [];
  await page.exposeFunction("recordCount", (count: number) => counts.push(count));
  await page.addInitScript(() => {
    const { recordCount } = window as unknown as { recordCount(count: number): void };
    new MutationObserver(() => recordCount(document.querySelectorAll(".toast").length)).observe(document, {
      childList: true,
      subtree: true,
    });
  });
  await openToFail(page);
  await failToJoin(page);
  await page.clock.runFor(2000);
  for (const name of ["Blog", "Careers", "Status"]) {
    // Uses the keyboard, because the mouse would keep a toast under it from closing.
    await page
      .locator("footer")
      .getByRole("link", { name })
      .evaluate((link: HTMLElement) => link.click());
    await expect(toast(page)).toHaveCount(1);
    await expect(toast(page)).toContainText(`${content.upcoming} ${name}`);
  }
  expect(Math.max(...counts)).toBe(1);
  await expectToast(page, "default", `${content.upcoming} Status`, content.upcomingOtherwise);
  await expectExactly5Seconds(page);
});

test("after a dismissed one, a toast stays for 5000 ms and then closes", async ({ page }) => {
  await openToFail(page);
  for (const keys of [[], ["F8", "Tab", "Tab", "Enter"], ["F8", "Tab", "Escape"]]) {
    await failToJoin(page);
    if (keys.length === 0) await activate(page.getByRole("button", { name: "Dismiss" }));
    for (const key of keys) await page.keyboard.press(key);
    await expect(toast(page)).toHaveCount(0);
    await submit(page);
    await expect(toast(page)).toBeVisible();
    await expectExactly5Seconds(page);
  }
});
