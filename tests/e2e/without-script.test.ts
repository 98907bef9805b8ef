import type { Page } from "@playwright/test";
import * as content from "#brand/content.ts";
import { FORM_ERRORS, type FormError } from "#contract/form-errors.ts";
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
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const card = (page: Page, fragment: FormError | "joined") => page.locator(`#${fragment}`);
const FRAGMENTS = ["joined", ...Object.keys(FORM_ERRORS)] as (FormError | "joined")[];

async function expectOnly(page: Page, shown?: FormError | "joined"): Promise<void> {
  for (const fragment of FRAGMENTS) await expect(card(page, fragment)).toBeVisible({ visible: fragment === shown });
}

test.describe("with JavaScript off", () => {
  test.use({ javaScriptEnabled: false });

  test("the form signs the visitor up and leads to the success card instead of the form", async ({ page, db }) => {
    for (const newsletter of [true, false]) {
      const ada = aSignUp({ company: "Acme", newsletter });
      await page.goto("/");
      await fillIn(page, ada);
      await submit(page);
      await expect(page).toHaveURL(/\/#joined$/);
      await expect(card(page, "joined")).toContainText(content.joinedTitle);
      await expect(card(page, "joined")).toBeInViewport();
      await expectOnly(page, "joined");
      await expect(button(page)).toBeHidden();
      const row = await db.selectFrom("sign_ups").selectAll().where("email", "=", ada.email).executeTakeFirst();
      expect(row).toMatchObject({ first_name: "Ada", company: "Acme", newsletter });
    }
  });

  test("a mistake and a duplicate show a message above the form, and nothing does before", async ({ page }) => {
    const ada = aSignUp();
    expect((await page.request.post(WAITLIST_PATH, { data: ada })).status()).toBe(201);
    await page.goto("/");
    for (const fragment of FRAGMENTS) await expect(card(page, fragment)).toHaveCount(1);
    await expectOnly(page);
    for (const [person, fragment, message] of [
      [{ ...ada, lastName: " " }, "last-name-missing", "Last name is required"],
      [ada, "already-joined", "This email is already on our waitlist."],
    ] as const) {
      await fillIn(page, person);
      await submit(page);
      await expect(page).toHaveURL(new RegExp(`/#${fragment}$`));
      await expect(card(page, fragment)).toHaveText(message);
      await expect(card(page, fragment)).toBeInViewport();
      await expectOnly(page, fragment);
      await expect(button(page)).toBeVisible();
    }
  });
});

for (const script of ["JavaScript", "the React script"]) {
  test.describe(`without ${script}`, () => {
    test.use({ javaScriptEnabled: script !== "JavaScript" });

    test(`without ${script}, a mistake shows its error under its field, and nothing typed is lost`, async ({
      page,
    }) => {
      const ada = aSignUp();
      const calls = recordCalls(page);
      await page.route("**/assets/client-*.js", (route) => route.abort());
      await page.goto("/");
      for (const [label, typed, message] of [
        ["First name", "", "First name is required"],
        ["Last name", "", "Last name is required"],
        ["Email", "", "Please enter a valid email address"],
        ["Email", "ada@nowhere", "Please enter a valid email address"],
      ] as const) {
        await fillIn(page, ada);
        await expect(page.locator("form p.text-bad").filter({ visible: true })).toHaveCount(0);
        await field(page, label).fill(typed);
        await submit(page);
        await expect(page.locator("form p.text-bad").filter({ visible: true })).toHaveText([message]);
        await expect(field(page, label)).toBeFocused();
        await expect(field(page, label).locator("+ p")).toHaveText(message);
      }
      await expect(field(page, "Last name")).toHaveValue(ada.lastName);
      expect(calls).toEqual([]);
    });
  });
}

test.describe("with JavaScript on", () => {
  test("a form submitted before the first script has loaded shows its outcome after", async ({ page }) => {
    const ada = aSignUp();
    const joinEarly = async (outcome: RegExp) => {
      const release = await holdRequests(page, FIRST_SCRIPT);
      await page.goto("/", { waitUntil: "commit" });
      await fillIn(page, ada);
      await submit(page);
      await page.waitForURL(outcome, { waitUntil: "commit" });
      release();
    };
    await joinEarly(/#joined$/);
    await expect(joinedTitle(page)).toBeInViewport();
    await expect(page.locator("form")).toHaveCount(0);
    await expect(toast(page)).toContainText(content.joinedToast);
    await expect(toast(page)).toContainText(content.joinedToastText);
    await expect(page).toHaveURL(/\/#waitlist$/);

    await joinEarly(/#already-joined$/);
    await expect(toast(page)).toContainText("This email is already on our waitlist.");
    await expect(page.locator("#waitlist")).toBeInViewport();
  });

  for (const [name, script] of Object.entries({
    first: FIRST_SCRIPT,
    React: "**/assets/client-*.js",
    hydration: HYDRATION_SCRIPT,
  })) {
    test(`without the ${name} script, the success card or a duplicate's message is in view`, async ({ page }) => {
      const ada = aSignUp();
      await page.setViewportSize({ width: 360, height: 740 });
      await page.route(script, (route) => route.abort());
      await page.clock.install();
      const join = async () => {
        await page.goto("/");
        await fillIn(page, ada);
        await page.clock.fastForward(5000);
        await submit(page);
      };
      await join();
      await expect(joinedTitle(page)).toBeInViewport({ ratio: 1 });
      await expect(page.getByText(content.joinedText)).toBeInViewport({ ratio: 1 });
      await expect(button(page)).toBeHidden();
      await join();
      await expect(page.getByText("This email is already on our waitlist.")).toBeInViewport({ ratio: 1 });
      await expect(button(page)).toBeVisible();
    });
  }

  test("the cards for visitors without JavaScript are gone, and /#joined shows the form", async ({ page }) => {
    for (const fragment of ["", "#joined", "#already-joined"]) {
      await page.goto("about:blank");
      await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto(`/${fragment}`)]);
      await expect(page.locator(".toast-viewport")).toBeAttached();
      await expect(page.locator("#joined, #already-joined")).toHaveCount(0);
      await expect(page.getByText(content.joinedTitle)).toHaveCount(0);
      await expect(toast(page)).toHaveCount(0);
      await expect(button(page)).toBeVisible();
      expect(new URL(page.url()).hash).toBe(fragment);
    }
  });
});
