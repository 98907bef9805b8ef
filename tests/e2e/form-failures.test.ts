import * as content from "#brand/content.ts";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  field,
  holdRequests,
  joinedTitle,
  mockSignUpResponse,
  openFilledIn,
  openReadyToSubmit,
  recordCalls,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("an error leaves focus in the field, or gives it back to the button", async ({ page }) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**${WAITLIST_PATH}`, async (route) => {
    await held;
    await route.fulfill({ status: 500 });
  });
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status: 500 }), { times: 1 });
  await openFilledIn(page);
  await field(page, "Company").press("Enter");
  await expect(toast(page)).toBeVisible();
  await expect(field(page, "Company")).toBeFocused();
  await expect(button(page)).toBeEnabled();

  await button(page).press("Enter");
  await expect(button(page)).toBeDisabled();
  await page.waitForFunction(() => document.activeElement === document.body);
  release();
  await expect(button(page)).toBeEnabled();
  await expect(button(page)).toBeFocused();
});

test("a form submitted offline shows the error, and nothing is sent later", async ({ page, context }) => {
  const ada = aSignUp({ newsletter: true });
  await openFilledIn(page, ada);
  await expect(page.locator(".toast-viewport")).toBeAttached();
  await context.setOffline(true);
  await submit(page);
  await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  await expect(button(page)).toBeEnabled();
  await expect(button(page)).toHaveText(content.join);
  await expect(field(page, "Email")).toHaveValue(ada.email);
  await expect(page.getByRole("checkbox")).toBeChecked();

  const calls = recordCalls(page);
  await context.setOffline(false);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.clock.fastForward("01:00");
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  expect(calls).toEqual([]);
  await submit(page);
  await expect(joinedTitle(page)).toBeVisible();
});

test("a sign-up whose response takes a minute succeeds", async ({ page }) => {
  // Makes the browser's own timeouts follow the test's clock.
  await page.addInitScript(() => {
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException("Timed out", "TimeoutError")), ms);
      return controller.signal;
    };
  });
  const answer = await holdRequests(page, `**${WAITLIST_PATH}`);
  await openFilledIn(page);
  await submit(page);
  await expect(button(page)).toBeDisabled();
  await page.clock.fastForward(60_000);
  answer();
  await expect(joinedTitle(page)).toBeInViewport();
  await expect(toast(page)).toContainText(content.joinedToast);
});

test("whatever a 400 or a 201 holds, the page remains and the toast comes", async ({ page }) => {
  const invalid = { code: "invalid" };
  for (const [status, body] of [
    [400, { errors: [{ field: "email", message: invalid }] }],
    [400, { errors: [{ field: "email.message.code", message: "x" }] }],
    [400, { errors: [{ field: "__proto__", message: "x" }, null, 1] }],
    [400, { errors: { email: "x" } }],
    [400, { errors: [{ field: "website", message: "x" }] }],
    [400, { errors: [{ field: invalid, message: ["x"] }] }],
    [201, { data: { totalUsers: invalid, companiesInterested: "x" }, confirmByEmail: invalid }],
  ] as const) {
    await page.unrouteAll();
    await mockSignUpResponse(page, status, JSON.stringify(body));
    await openFilledIn(page);
    await submit(page);
    if (status === 201) await expect(joinedTitle(page)).toBeVisible();
    else {
      await expect(button(page)).toHaveText(content.join);
      await expect(button(page)).toBeEnabled();
      await expect(field(page, "Email")).not.toHaveValue("");
    }
    const text = status === 201 ? content.joinedToast : "Failed to join waitlist. Please try again.";
    await expect(toast(page)).toContainText(text);
    await expect(page.locator("form p.text-bad")).toHaveCount(0);
  }
});

test("fields that were filled without events, as by a password manager, are sent as seen", async ({ page }) => {
  const ada = aSignUp({ company: "Acme", newsletter: true });
  await openReadyToSubmit(page);
  await page.locator("form").evaluate((form, { newsletter, ...texts }) => {
    const { elements } = form as HTMLFormElement;
    for (const [name, text] of Object.entries(texts)) (elements.namedItem(name) as HTMLInputElement).value = text;
    (elements.namedItem("newsletter") as HTMLInputElement).checked = newsletter;
  }, ada);
  const request = page.waitForRequest(`**${WAITLIST_PATH}`);
  await submit(page);
  expect((await request).postDataJSON()).toEqual(ada);
  await expect(joinedTitle(page)).toBeVisible();
});
