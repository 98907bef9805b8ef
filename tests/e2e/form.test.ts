import * as content from "#brand/content.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { expectSeen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  field,
  fillIn,
  HYDRATION_SCRIPT,
  holdRequests,
  joinedTitle,
  mockSignUpResponse,
  openFilledIn,
  openReadyToSubmit,
  recordCalls,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { VISITORS } from "#tests/support/visitors.ts";
import { expect, test } from "./fixtures.ts";

test.describe("validation", () => {
  const messages = {
    "First name": "First name is required",
    "Last name": "Last name is required",
    Email: "Please enter a valid email address",
  };

  const SCREENS = Object.values(VISITORS).flatMap(({ screens }) => screens);
  const VALID = { "First name": "Ada", "Last name": "Lovelace", Email: "ada@example.com", Company: "" };
  const cases: { typed: Partial<typeof VALID>; errors: (keyof typeof messages)[] }[] = [
    { typed: { "First name": "", "Last name": "", Email: "" }, errors: ["First name", "Last name", "Email"] },
    { typed: { "First name": "" }, errors: ["First name"] },
    { typed: { "First name": "  ", Email: "ada" }, errors: ["First name", "Email"] },
    { typed: { "Last name": "", Company: "Acme" }, errors: ["Last name"] },
    { typed: { "Last name": " " }, errors: ["Last name"] },
    ...["", "@.", "ada@nowhere", "ada@.com", "a b@example.com", "a..b@example.com", "ada@127.0.0.1"].map((Email) => ({
      typed: { Email },
      errors: ["Email" as const],
    })),
    { typed: { "First name": "", "Last name": "" }, errors: ["First name", "Last name"] },
  ];

  test("each missing name and invalid email shows its error under its field, and isn't sent", async ({ page }) => {
    const posts = recordCalls(page);
    await mockSignUpResponse(page, 500, "");
    await openReadyToSubmit(page);
    // Nobody is corrected before submitting.
    await field(page, "Email").fill("ada");
    await expect(page.locator("form [aria-invalid=true]")).toHaveCount(0);
    for (const [i, { typed, errors }] of cases.entries()) {
      // Makes each mistake on another screen, and submits all after the fifth with Enter.
      await page.setViewportSize(SCREENS[i % SCREENS.length] ?? { width: 360, height: 740 });
      for (const [label, text] of Object.entries({ ...VALID, ...typed })) await field(page, label).fill(text);
      await (i < 5 ? submit(page) : field(page, "Company").press("Enter"));
      await expect(page.locator("form p.text-bad")).toHaveText(errors.map((label) => messages[label]));
      await expect(page.locator("form [aria-invalid=true]")).toHaveCount(errors.length);
      await expect(page.locator("form [aria-invalid=true]").first()).toBeFocused();
      await expectSeen(page.locator("form p.text-bad"));
      for (const label of errors) {
        const input = field(page, label);
        await expect(input).toHaveAccessibleDescription(messages[label]);
        // Measures field and error at once, because the page may still be scrolling.
        const distance = await input.evaluate((element) => {
          const described = document.getElementById(element.getAttribute("aria-describedby") ?? "");
          const [above, below] = [element.getBoundingClientRect(), described?.getBoundingClientRect()];
          return { x: (below?.left ?? 0) - above.left, y: (below?.top ?? 0) - above.bottom };
        });
        expect(distance.x).toBe(0);
        expect(distance.y).toBeGreaterThanOrEqual(0);
        expect(distance.y).toBeLessThan(20);
      }
    }
    expect(posts).toEqual([`GET ${STATS_PATH}`]);
    for (const [label, text] of Object.entries({ ...VALID, Email: "o'neil+x@mail.bücher.de" })) {
      await field(page, label).fill(text);
    }
    await expect(page.locator("form p.text-bad")).toHaveCount(0);
    await submit(page);
    await expect.poll(() => posts).toEqual([`GET ${STATS_PATH}`, `POST ${WAITLIST_PATH}`]);
  });

  test("the error of a field that was emptied while Joining... stays after a 500", async ({ page }) => {
    const { promise: responded, resolve: respond } = Promise.withResolvers<void>();
    await page.route(`**${WAITLIST_PATH}`, async (route) => {
      await responded;
      await route.fulfill({ status: 500 });
    });
    await openFilledIn(page);
    await submit(page);
    await field(page, "Last name").fill("");
    await expect(page.getByText("Last name is required")).toBeInViewport();
    respond();
    await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
    await expect(page.getByText("Last name is required")).toBeInViewport();
  });

  test("an address that only the server refuses gets its error and focus, and the toast", async ({ page }) => {
    await openReadyToSubmit(page);
    for (const email of [`ada@${"ü".repeat(63)}.example`, "ada@xn--iñvalid.com"]) {
      await fillIn(page, aSignUp({ email }));
      await expect(page.getByText(messages.Email)).toHaveCount(0);
      await button(page).focus();
      await submit(page);
      await expect(field(page, "Email")).toHaveAccessibleDescription(messages.Email);
      await expect(field(page, "Email")).toBeFocused();
      await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
    }
    await field(page, "Email").fill(aSignUp().email);
    await expect(page.getByText(messages.Email)).toHaveCount(0);
    await submit(page);
    await expect(joinedTitle(page)).toBeVisible();
  });
});

test("every submission less than 3000 ms after page load is blocked with a destructive toast", async ({ page }) => {
  const calls = recordCalls(page);
  // The clock moves only on request, even on a slow machine.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  // Visitors must wait 3000 ms on each way to the form.
  for (const path of ["/", "/?utm_source=launch#features", "/#waitlist"]) {
    await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto(path)]);
    await fillIn(page, aSignUp());
    await page.clock.runFor(1000);
    await field(page, "Company").press("Enter");
    await expect(toast(page)).toContainText(content.tooSoon);
    await page.clock.runFor(1999);
    await submit(page);
    await page.mouse.move(10, 10);
    await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
    await expect(toast(page)).toHaveText(content.errorTitle + content.tooSoon);
    expect(calls.filter((call) => call.startsWith("POST"))).toEqual([]);
    await expectSeen(toast(page).locator("> :not(button)"));
    if (path !== "/") continue;
    // The second toast's timer starts at the second click.
    await page.clock.runFor(4999);
    await expect(toast(page)).toHaveAttribute("data-state", "open");
    await page.clock.runFor(2);
    await expect(toast(page)).toHaveCount(0);
  }
  await page.clock.runFor(1);
  await submit(page);
  await page.clock.resume();
  await expect(joinedTitle(page)).toBeVisible();
});

test("what is entered before hydration is kept, and an open menu is announced as open", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await page.goto("/", { waitUntil: "commit" });
  await field(page, "First name").fill("עדה");
  await page.getByRole("checkbox").check();
  await page.locator("header button").click();
  const hydrated = page.waitForResponse(`**${STATS_PATH}`);
  release();
  await hydrated;
  await expect(page.getByRole("button", { name: content.closeMenu })).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About" })).toBeVisible();
  await expect(field(page, "First name")).toHaveValue("עדה");
  await expect(page.getByRole("checkbox")).toBeChecked();
  // A name in Hebrew is written from right to left.
  await expect(field(page, "First name")).toHaveCSS("direction", "rtl");
  await expect(field(page, "Last name")).toHaveCSS("direction", "ltr");
});

test("the honeypot is invisible, out of the tab order and not autofilled", async ({ page }) => {
  await page.goto("/");
  const honeypot = page.locator("input[name=website]");
  await expect(honeypot).not.toBeInViewport();
  await expect(honeypot).toHaveAttribute("tabindex", "-1");
  await expect(honeypot).toHaveAttribute("autocomplete", "off");
  await expect(page.getByRole("textbox", { name: "Website" })).toHaveCount(0);
});

test("a visitor can join with the keyboard alone, by a skip link past the navigation bar", async ({ page }) => {
  const ada = aSignUp({ company: "Acme" });
  await openReadyToSubmit(page);
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).not.toBeInViewport();
  await page.keyboard.press("Tab");
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link", { name: content.join })).toBeFocused();
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
  await expect(joinedTitle(page)).toBeVisible();
});
