import type { Page } from "@playwright/test";
import { FORM_ERRORS, type FormError } from "#contract/form-errors.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, FIRST_SCRIPT, fillIn, HYDRATION_SCRIPT, holdRequests, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const card = (page: Page, fragment: FormError | "joined") => page.locator(`#${fragment}`);
const FRAGMENTS = ["joined", ...Object.keys(FORM_ERRORS)] as (FormError | "joined")[];

async function expectOnly(page: Page, shown?: FormError | "joined"): Promise<void> {
  for (const fragment of FRAGMENTS) await expect(card(page, fragment)).toBeVisible({ visible: fragment === shown });
}

test.describe("with JavaScript off", () => {
  test.use({ javaScriptEnabled: false });

  test("submitting the form signs the visitor up, and the page it redirects to shows the success card instead of the form", async ({
    page,
    db,
  }) => {
    for (const newsletter of [true, false]) {
      const ada = aSignUp({ company: "Acme", newsletter });
      await page.goto("/");
      await fillIn(page, ada);
      await submit(page);
      await expect(page).toHaveURL(/\/#joined$/);
      await expect(card(page, "joined")).toContainText("Successfully Joined!");
      await expect(card(page, "joined")).toBeInViewport();
      await expectOnly(page, "joined");
      await expect(button(page)).toBeHidden();
      const row = await db.selectFrom("sign_ups").selectAll().where("email", "=", ada.email).executeTakeFirst();
      expect(row).toMatchObject({ first_name: "Ada", company: "Acme", newsletter });
    }
  });

  test("a duplicate address shows a message above the form", async ({ page }) => {
    const ada = aSignUp();
    expect((await page.request.post(WAITLIST_PATH, { data: ada })).status()).toBe(201);
    await page.goto("/");
    await fillIn(page, ada);
    await submit(page);
    await expect(page).toHaveURL(/\/#already-joined$/);
    await expect(card(page, "already-joined")).toHaveText("This email is already on our waitlist.");
    await expect(card(page, "already-joined")).toBeInViewport();
    await expectOnly(page, "already-joined");
    await expect(button(page)).toBeVisible();
  });

  test("a missing last name shows its message", async ({ page }) => {
    await page.goto("/");
    await fillIn(page, aSignUp({ lastName: "" }));
    await submit(page);
    await expect(card(page, "last-name-missing")).toHaveText("Last name is required");
    await expect(card(page, "last-name-missing")).toBeInViewport();
  });

  test("no card is visible before the form is submitted", async ({ page }) => {
    await page.goto("/");
    for (const fragment of FRAGMENTS) await expect(card(page, fragment)).toHaveCount(1);
    await expectOnly(page);
  });
});

test.describe("with JavaScript on", () => {
  test("a form submitted before the first script has loaded signs the visitor up, and the page it redirects to shows the success card and its toast", async ({
    page,
  }) => {
    const release = await holdRequests(page, FIRST_SCRIPT);
    await page.goto("/", { waitUntil: "commit" });
    await fillIn(page, aSignUp());
    await submit(page);
    await page.waitForURL(/#joined$/, { waitUntil: "commit" });
    release();
    await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeInViewport();
    await expect(page.locator("form")).toHaveCount(0);
    await expect(toast(page)).toContainText("Successfully joined the waitlist!");
    await expect(toast(page)).toContainText("We'll be in touch soon with exclusive updates.");
    await expect(page).toHaveURL(/\/#waitlist$/);
  });

  test("a duplicate address submitted before the first script has loaded shows a toast, with the form in view", async ({
    page,
  }) => {
    const ada = aSignUp();
    expect((await page.request.post(WAITLIST_PATH, { data: ada })).status()).toBe(201);
    const release = await holdRequests(page, FIRST_SCRIPT);
    await page.goto("/", { waitUntil: "commit" });
    await fillIn(page, ada);
    await submit(page);
    await page.waitForURL(/#already-joined$/, { waitUntil: "commit" });
    release();
    await expect(toast(page)).toContainText("This email is already on our waitlist.");
    await expect(page.locator("#waitlist")).toBeInViewport();
  });

  for (const [name, script] of Object.entries({
    first: FIRST_SCRIPT,
    React: "**/assets/client-*.js",
    hydration: HYDRATION_SCRIPT,
  })) {
    test(`when the ${name} script fails to load, the success card is in view, and for a duplicate its message`, async ({
      page,
    }) => {
      const ada = aSignUp();
      await page.setViewportSize({ width: 360, height: 740 });
      await page.route(script, (route) => route.abort());
      const join = async () => {
        await page.goto("/");
        await fillIn(page, ada);
        await page.waitForFunction(() => performance.now() > 5000);
        await submit(page);
      };
      await join();
      await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeInViewport({ ratio: 1 });
      await expect(page.getByText("early access information.")).toBeInViewport({ ratio: 1 });
      await expect(button(page)).toBeHidden();
      await join();
      await expect(page.getByText("This email is already on our waitlist.")).toBeInViewport({ ratio: 1 });
      await expect(button(page)).toBeVisible();
    });
  }

  test("the cards for visitors without JavaScript are not in the page", async ({ page }) => {
    await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/")]);
    await expect(page.locator("#joined, #already-joined")).toHaveCount(0);
  });
});
