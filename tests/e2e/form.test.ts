import { brand } from "#brand/brand.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  field,
  fillIn,
  HYDRATION_SCRIPT,
  holdRequests,
  openPage,
  openReadyToSubmit,
  recordCalls,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.describe("validation", () => {
  const messages = {
    "First name": "First name is required",
    "Last name": "Last name is required",
    Email: "Please enter a valid email address",
  };

  for (const [name, label, text] of [
    ["an empty first name", "First name", ""],
    ["an empty last name", "Last name", ""],
    ["an empty email", "Email", ""],
    ["an invalid email", "Email", "ada@nowhere"],
  ] as const) {
    const message = messages[label];
    test(`${name} shows its error under the field and in its accessible description`, async ({ page }) => {
      await openReadyToSubmit(page);
      const input = field(page, label);
      await input.fill(text);
      await submit(page);
      const error = page.getByText(message, { exact: true });
      await expect(error).toBeVisible();
      await expect(input).toHaveAttribute("aria-invalid", "true");
      await expect(input).toHaveAccessibleDescription(message);
      // Both at once, because the page may still be scrolling.
      const distance = await input.evaluate((element) => {
        const described = document.getElementById(element.getAttribute("aria-describedby") ?? "");
        const [above, below] = [element.getBoundingClientRect(), described?.getBoundingClientRect()];
        return { x: (below?.left ?? 0) - above.left, y: (below?.top ?? 0) - above.bottom };
      });
      expect(distance.x).toBe(0);
      expect(distance.y).toBeGreaterThanOrEqual(0);
      expect(distance.y).toBeLessThan(20);
    });
  }

  test("an invalid form shows all three errors and sends no request", async ({ page }) => {
    const calls = recordCalls(page);
    await openReadyToSubmit(page);
    await field(page, "Email").fill("ada@nowhere");
    await submit(page);
    for (const message of Object.values(messages)) await expect(page.getByText(message, { exact: true })).toBeVisible();
    expect(calls).not.toContain("POST /api/waitlist");
  });

  test("the first invalid field is focused, and its error disappears as soon as it is fixed", async ({ page }) => {
    await openReadyToSubmit(page);
    await field(page, "First name").fill("Ada");
    await submit(page);
    await expect(field(page, "Last name")).toBeFocused();
    await page.keyboard.type("Lovelace");
    await expect(page.getByText("Last name is required")).toHaveCount(0);
  });

  test("the error of a field that was emptied while Joining... stays after a 500", async ({ page }) => {
    const { promise: responded, resolve: respond } = Promise.withResolvers<void>();
    await page.route(`**${WAITLIST_PATH}`, async (route) => {
      await responded;
      await route.fulfill({ status: 500 });
    });
    await openReadyToSubmit(page);
    await fillIn(page, aSignUp());
    await submit(page);
    await field(page, "Last name").fill("");
    await expect(page.getByText("Last name is required")).toBeInViewport();
    respond();
    await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
    await expect(page.getByText("Last name is required")).toBeInViewport();
  });

  for (const email of ["ada@company.123", "ada@1.2.3.999", "ada@xn--iñvalid.com"]) {
    test(`${email}, which only the server refuses, gets its error and focus, and the toast`, async ({ page }) => {
      await openReadyToSubmit(page);
      await fillIn(page, aSignUp({ email }));
      await submit(page);
      await expect(field(page, "Email")).toHaveAccessibleDescription(messages.Email);
      await expect(field(page, "Email")).toBeFocused();
      await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
      await field(page, "Email").fill(aSignUp().email);
      await expect(page.getByText(messages.Email)).toHaveCount(0);
      await submit(page);
      await expect(page.getByText("Successfully Joined!")).toBeVisible();
    });
  }
});

test("a submission less than 3000 ms after page load is blocked with a destructive toast and no request", async ({
  page,
}) => {
  const calls = recordCalls(page);
  // The clock moves only when told to, however slow the machine is.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/")]);
  await fillIn(page, aSignUp());
  await page.clock.runFor(2999);
  await submit(page);
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  await expect(toast(page).getByText("Error", { exact: true })).toBeAttached();
  await expect(
    toast(page).getByText("Please take a moment to review your information before submitting.", { exact: true }),
  ).toBeAttached();
  expect(calls).not.toContain("POST /api/waitlist");

  await page.clock.runFor(1);
  await submit(page);
  await page.clock.resume();
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
});

test("submitting twice in a row sends one request", async ({ page }) => {
  const calls = recordCalls(page);
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await page.evaluate(() => {
    const form = document.querySelector("form");
    form?.requestSubmit();
    form?.requestSubmit();
  });
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  expect(calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
});

test("text and checkbox entered before hydration are kept", async ({ page }) => {
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await page.goto("/", { waitUntil: "commit" });
  await field(page, "First name").fill("Ada");
  await page.getByRole("checkbox").check();
  const hydrated = page.waitForResponse(`**${STATS_PATH}`);
  release();
  await hydrated;
  await expect(field(page, "First name")).toHaveValue("Ada");
  await expect(page.getByRole("checkbox")).toBeChecked();
});

test("the honeypot is invisible, out of the tab order, hidden from assistive technology and not autofilled", async ({
  page,
}) => {
  await openPage(page);
  const honeypot = page.locator("input[name=website]");
  await expect(honeypot).not.toBeInViewport();
  await expect(honeypot).toHaveAttribute("tabindex", "-1");
  await expect(honeypot).toHaveAttribute("autocomplete", "off");
  await expect(page.getByRole("textbox", { name: "Website" })).toHaveCount(0);
});

test("a visitor can join with the keyboard alone", async ({ page }) => {
  const ada = aSignUp({ company: "Acme" });
  await openReadyToSubmit(page);
  for (let tab = 0; tab < 2; tab += 1) await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: brand.name }).first()).toBeFocused();
  for (let tab = 0; tab < 4; tab += 1) await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Join Waitlist", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#waitlist")).toBeInViewport();
  await page.keyboard.press("Tab");
  for (const text of [ada.firstName, ada.lastName, ada.email, ada.company]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await expect(button(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
});
