import type { Page } from "@playwright/test";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, HYDRATION_SCRIPT, holdRequests, recordCalls, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const POST = `POST ${WAITLIST_PATH}`;
const posts = (calls: string[]) => calls.filter((call) => call === POST);

/** The page's own age, from the same clock as the form's 3000 ms guard. */
const waitForAge = (page: Page, ms: number) => page.waitForFunction((age) => performance.now() > age, ms);

test("a form submitted before hydration is held and then joins the usual way, without leaving the page", async ({
  page,
}) => {
  const calls = recordCalls(page);
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await page.goto("/");
  await fillIn(page, aSignUp());
  await waitForAge(page, 5000);
  await submit(page);
  await submit(page);
  expect(calls).toEqual([]);
  const request = page.waitForRequest(`**${WAITLIST_PATH}`);
  release();
  expect(await (await request).headerValue("content-type")).toBe("application/json");
  await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeVisible();
  await expect(toast(page)).toContainText("Successfully joined the waitlist!");
  expect(posts(calls)).toHaveLength(1);
  await expect(page).toHaveURL(/\/$/);
});

test("a form submitted within 3000 ms is blocked with its toast, even if hydration takes longer than that", async ({
  page,
}) => {
  const calls = recordCalls(page);
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  // Submitted by the page itself: on a slow machine a click can take longer than 3 s.
  await page.addInitScript(() => addEventListener("load", () => document.querySelector("form")?.requestSubmit()));
  await page.addInitScript((ada) => {
    addEventListener("DOMContentLoaded", () => {
      for (const [name, value] of Object.entries(ada)) {
        const input = document.querySelector<HTMLInputElement>(`input[name=${name}]`);
        if (input?.type === "text" || input?.type === "email") input.value = String(value);
      }
    });
  }, aSignUp());
  await page.goto("/");
  await waitForAge(page, 5000);
  release();
  await expect(toast(page)).toContainText("Please take a moment to review your information before submitting.");
  expect(posts(calls)).toEqual([]);
});

test("an invalid form submitted before hydration is busy until it shows its errors", async ({ page }) => {
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await page.goto("/");
  await fillIn(page, aSignUp({ lastName: "" }));
  await submit(page);
  await expect(page.locator("form")).toHaveAttribute("aria-busy", "true");
  release();
  await expect(page.getByText("Last name is required")).toBeVisible();
  await expect(page.locator("form")).not.toHaveAttribute("aria-busy");
  await expect(page).toHaveURL(/\/$/);
});

test("if a script fails to load, a held form and every later one are posted by the browser", async ({ page }) => {
  const { promise: held, resolve: fail } = Promise.withResolvers<void>();
  await page.route(HYDRATION_SCRIPT, async (route) => {
    await held;
    await route.abort();
  });
  await page.goto("/");
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page).toHaveURL(/\/$/);
  fail();
  await page.waitForURL(/\/#joined$/);
  await page.goto("/", { waitUntil: "networkidle" });
  await fillIn(page, aSignUp());
  await submit(page);
  await page.waitForURL(/\/#joined$/);
});

test("if hydration takes 8 s from the click, the browser posts the form, once", async ({ page }) => {
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  const calls = recordCalls(page);
  await page.clock.install();
  await page.goto("/");
  await fillIn(page, aSignUp());
  await page.clock.pauseAt(Date.now() + 60_000);
  await submit(page);
  await page.clock.runFor(7900);
  expect(posts(calls)).toEqual([]);

  // The response is held back, so that the page is still there when it hydrates.
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
