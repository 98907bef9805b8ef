import type { Page } from "@playwright/test";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import type { SignUp } from "#contract/sign-up.ts";

/** Opens a page and waits until it is alive: painted, hydrated, and with what it loads at idle. */
export async function openAlive(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator(".backdrop[data-pace], .backdrop-circle").first().waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
}

/** Opens the page with a clock of our own, and waits until it is hydrated: reading the stats is the first thing it does. */
export async function arrive(page: Page, path = "/"): Promise<void> {
  await page.clock.install();
  await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto(path)]);
}

/** Arrives, and has been there for long enough to be allowed to submit. */
export async function arriveAndRead(page: Page, path?: string): Promise<void> {
  await arrive(page, path);
  await page.clock.fastForward(3000);
}

/** From here on no time passes but what the test lets pass; a toast stays for as long as the machine needs. */
export async function stopTheClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
}

export const field = (page: Page, label: string) => page.getByRole("textbox", { name: label });

export async function fillIn(page: Page, person: SignUp): Promise<void> {
  await field(page, "First name").fill(person.firstName);
  await field(page, "Last name").fill(person.lastName);
  await field(page, "Email").fill(person.email);
  await field(page, "Company").fill(person.company);
  await page.getByRole("checkbox").setChecked(person.newsletter);
}

/** The form's button, whatever it says at the moment. */
export const button = (page: Page) => page.locator("form button[type=submit]");
export const submit = (page: Page) => button(page).click();
export const toast = (page: Page) => page.locator(".toast");
export const stat = (page: Page, name: string) =>
  page
    .locator("#waitlist dl div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator("dd");

/** The script that brings the page to life. */
export const HYDRATION = "**/assets/hydrate-*.js";

/** Keeps requests for the address waiting until the returned function is called. */
export async function hold(page: Page, address: string): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** What the API would answer, made up: for the answers that the real one gives only when something is broken. */
export async function answerSignUpsWith(page: Page, status: number, body: string): Promise<void> {
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status, body }));
}

/** Every request to the API from now on, as "METHOD /path". */
export function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}
