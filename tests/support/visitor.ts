import { expect, type Page } from "@playwright/test";
import * as content from "#brand/content.ts";
import { dark } from "#brand/tokens.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import type { SignUp } from "#contract/sign-up.ts";
import { computedColor, expectSeen } from "./screen.ts";
import { aSignUp } from "./sign-ups.ts";
import { activate, visitor } from "./visitors.ts";

/** Opens a page and waits until it is painted, hydrated, and has loaded its idle chunks. */
export async function openFullyLoaded(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator(".backdrop[data-quality], .backdrop-circle").first().waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
}

/** Opens the page with a fake clock and waits for hydration, which starts by fetching the stats. */
export async function openPage(page: Page, path = visitor()?.arrivesAt ?? "/"): Promise<void> {
  const { date } = visitor() ?? {};
  await page.clock.install(date ? { time: date } : {});
  await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto(path)]);
}

/** Opens the page and advances the clock past the 3 s in which the form rejects submissions. */
export async function openReadyToSubmit(page: Page, path?: string): Promise<void> {
  await openPage(page, path);
  await page.clock.fastForward(3000);
}

/** Pauses the fake clock, so that a toast doesn't time out on a slow machine. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
}

export const field = (page: Page, label: string) => page.getByRole("textbox", { name: label });

export async function fillIn(page: Page, person: SignUp): Promise<void> {
  // Scrolls to the form, as visitors do, but instantly, because smooth scrolls would race with each other.
  await button(page).evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
  await field(page, "First name").fill(person.firstName);
  await field(page, "Last name").fill(person.lastName);
  await field(page, "Email").fill(person.email);
  await field(page, "Company").fill(person.company);
  if (person.newsletter) await page.getByRole("checkbox").check();
}

/** The form's submit button, with any label. Before hydration, a disabled one stands in for it. */
export const button = (page: Page) =>
  page.locator("form:not(.confirm-note) button[type=submit]").filter({ visible: true });
/** Skips the stand-in button, which is enabled for a moment while the real one replaces it. */
export const submit = (page: Page) => activate(button(page).and(page.locator(":enabled:not(#not-yet)")));
export const toast = (page: Page) => page.locator(".toast");
export const joinedTitle = (page: Page) => page.getByRole("heading", { name: content.joinedTitle });
const { totalUsers, companiesInterested, daysToLaunch } = content;
const STATS = { totalUsers, companiesInterested, daysToLaunch };
export const stat = (page: Page, name: keyof typeof STATS) =>
  page
    .locator("#waitlist dl div")
    .filter({ has: page.getByText(STATS[name], { exact: true }) })
    .locator("dd");

const BAD = computedColor(dark.bad);
const TOAST_COLORS = {
  default: { border: computedColor(dark.lineStrong), title: computedColor(dark.text) },
  destructive: { border: BAD, title: BAD },
};

/** Advances the paused clock in steps until the server has responded and a toast appears. */
export async function runUntilToast(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(50);
    // A previous toast may still be fading out.
    expect(await page.locator(".toast[data-state=open]").count()).toBe(1);
  }).toPass({ timeout: 15_000 });
  // TanStack Query updates the form after the toast.
  await page.clock.runFor(10);
}

/** Expects the toast to stay for 5000 ms and then to close. The clock must be paused before it appears. */
export async function expectToastFor5Seconds(page: Page): Promise<void> {
  await page.clock.runFor(4900);
  await expect(toast(page)).toHaveAttribute("data-state", "open");
  await page.clock.runFor(150);
  await expect(toast(page)).toHaveCount(0);
}

/** Expects one visible toast with this variant and text. */
export async function expectToast(
  page: Page,
  variant: "default" | "destructive",
  title: string,
  description: string,
): Promise<void> {
  await expect(toast(page)).toHaveText(title + description);
  await expect(toast(page)).toHaveCount(1);
  await expect(toast(page)).toHaveCSS("border-top-color", TOAST_COLORS[variant].border);
  await expect(toast(page).getByText(title, { exact: true })).toHaveCSS("color", TOAST_COLORS[variant].title);
  await expectSeen(toast(page).locator("> :not(button)"));
}

/** The page's first script. */
export const FIRST_SCRIPT = "**/assets/index-*.js";
/** The script that hydrates the page. */
export const HYDRATION_SCRIPT = "**/assets/hydrate-*.js";

/** Holds back requests for the URL until the returned function lets them continue or fail. */
export async function holdRequests(page: Page, url: string, then: "continue" | "abort" = "continue") {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held;
    await route[then]();
  });
  return () => release();
}

/** Mocks the response to a sign-up, for responses that the real API only sends when something is broken. */
export async function mockSignUpResponse(page: Page, status: number, body: string): Promise<void> {
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status, body }));
}

/** Records all API requests from now on, as "METHOD /path". */
export function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

/** Makes the page look like a background tab as soon as its form is submitted. */
export async function leaveOnSubmit(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const leave = () => {
      Object.defineProperties(document, { hidden: { get: () => true }, visibilityState: { get: () => "hidden" } });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    };
    addEventListener("submit", leave, { capture: true, once: true });
  });
}

/** Takes away what browsers hide from a page that comes over plain HTTP. */
export async function makeInsecure(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const name of ["randomUUID", "subtle"]) Reflect.deleteProperty(Crypto.prototype, name);
    for (const name of ["clipboard", "locks", "serviceWorker"]) Reflect.deleteProperty(Navigator.prototype, name);
  });
}

/** Sends a request and waits for it, because by then all earlier requests have been recorded. */
export async function untilRecorded(page: Page): Promise<void> {
  const later = page.waitForRequest("**/later");
  await page.evaluate(() => navigator.sendBeacon("/later"));
  await later;
}

/** Opens the page with its form filled in and ready to submit. */
export async function openFilledIn(page: Page, person = aSignUp()): Promise<void> {
  await openReadyToSubmit(page);
  await fillIn(page, person);
}

/** Opens a page on which every sign-up fails, and pauses the clock. */
export async function openToFail(page: Page): Promise<void> {
  await mockSignUpResponse(page, 500, "");
  await openFilledIn(page);
  await pauseClock(page);
}

/** Submits the form and waits for the error toast. */
export async function failToJoin(page: Page): Promise<void> {
  await field(page, "Company").press("Enter");
  await runUntilToast(page);
}
