import type { Page } from "@playwright/test";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, fillIn, HYDRATION_SCRIPT, holdRequests, recordCalls, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const posts = (calls: string[]) => calls.filter((call) => call === `POST ${WAITLIST_PATH}`);

/** Opens the page with a paused clock, fills in the form, and advances the clock this far. */
async function openAndWait(page: Page, ms: number, person = aSignUp()): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto("/");
  await fillIn(page, person);
  await page.clock.runFor(ms);
}

async function expectHeld(page: Page): Promise<void> {
  await expect(button(page)).toHaveText("Joining...");
  await expect(button(page)).toHaveJSProperty("disabled", true);
}

test("a form submitted before hydration is held and then joins, without leaving the page", async ({ page }) => {
  const calls = recordCalls(page);
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await openAndWait(page, 3000);
  await submit(page);
  await expectHeld(page);
  await page.keyboard.press("Enter");
  expect(calls).toEqual([]);
  await page.clock.resume();
  const request = page.waitForRequest(`**${WAITLIST_PATH}`);
  release();
  expect(await (await request).headerValue("content-type")).toBe("application/json");
  await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeVisible();
  await expect(toast(page)).toContainText("Successfully joined the waitlist!");
  expect(posts(calls)).toHaveLength(1);
  await expect(page).toHaveURL(/\/$/);
});

test("a form submitted within 3000 ms is blocked, even if hydration takes longer", async ({ page }) => {
  const calls = recordCalls(page);
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await openAndWait(page, 2999);
  await submit(page);
  await expectHeld(page);
  await page.clock.runFor(3000);
  await page.clock.resume();
  release();
  await expect(toast(page)).toContainText("Please take a moment to review your information before submitting.");
  expect(posts(calls)).toEqual([]);
});

test("a form submitted before hydration looks submitted until it shows its errors", async ({ page }) => {
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await openAndWait(page, 3000, aSignUp({ lastName: "" }));
  await submit(page);
  await expectHeld(page);
  release();
  await expect(page.locator("form").getByText("Last name is required")).toBeVisible();
  await expect(button(page)).toHaveText("Join the Waitlist");
  await expect(button(page)).toBeEnabled();
  await expect(page).toHaveURL(/\/$/);
});

test("if a script fails to load, a held form and every later one are posted by the browser", async ({ page }) => {
  const fail = await holdRequests(page, HYDRATION_SCRIPT, "abort");
  await openAndWait(page, 3000);
  await submit(page);
  await expectHeld(page);
  fail();
  await page.waitForURL(/\/#joined$/);
  await page.goto("/", { waitUntil: "networkidle" });
  await fillIn(page, aSignUp());
  await page.clock.runFor(3000);
  await submit(page);
  await page.waitForURL(/\/#joined$/);
});

for (const outcome of ["fails", "takes 8 s"]) {
  test(`if hydration ${outcome}, a form submitted within 3000 ms isn't sent, and says why`, async ({ page }) => {
    const calls = recordCalls(page);
    const fail = await holdRequests(page, HYDRATION_SCRIPT, "abort");
    await openAndWait(page, 2999);
    await submit(page);
    await expectHeld(page);
    if (outcome === "fails") fail();
    else await page.clock.runFor(8000);
    const message = page.getByText("Please take a moment to review your information before submitting.");
    await expect(message).toBeInViewport({ ratio: 1 });
    await expect(button(page)).toHaveText("Join the Waitlist");
    expect(calls).toEqual([]);
    fail();
    await page.clock.runFor(1);
    await submit(page);
    await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeInViewport({ ratio: 1 });
  });
}

test("if hydration takes 8 s from the click, the browser posts the form, once", async ({ page }) => {
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  const calls = recordCalls(page);
  await openAndWait(page, 3000);
  await submit(page);
  await page.clock.runFor(7900);
  expect(posts(calls)).toEqual([]);

  // Holds back the response, so that the page is still open when it hydrates.
  const respond = await holdRequests(page, `**${WAITLIST_PATH}`);
  const request = page.waitForRequest(`**${WAITLIST_PATH}`);
  await page.clock.runFor(100);
  expect(await (await request).headerValue("content-type")).toBe("application/x-www-form-urlencoded");
  const hydrated = page.waitForResponse(`**${STATS_PATH}`);
  release();
  await hydrated;
  respond();
  await page.waitForURL(/\/#joined$/);
  expect(posts(calls)).toHaveLength(1);
});
