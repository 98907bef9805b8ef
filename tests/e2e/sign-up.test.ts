import * as content from "#brand/content.ts";
import { dark } from "#brand/tokens.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { readTotals } from "#core/people/totals.ts";
import { expectFadeIn } from "#tests/support/animations.ts";
import { pixels } from "#tests/support/pixels.ts";
import { computedColor, expectLandedAt, expectSeen, onEachScreen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  field,
  fillIn,
  joinedTitle,
  openFilledIn,
  openReadyToSubmit,
  recordCalls,
  stat,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { activate, visitor } from "#tests/support/visitors.ts";
import { expect, test } from "./fixtures.ts";

test("an anonymous visitor joins: PostgreSQL has the row, and the stats on the page go up", async ({ page, db }) => {
  const before = await readTotals(db.pool);
  // The stats response may be a second old.
  await expect.poll(async () => (await (await page.request.get(STATS_PATH)).json()).data).toEqual(before);
  const ada = aSignUp({ company: `Analytical Engines ${process.pid} Ltd` });
  await openReadyToSubmit(page);
  await expect(stat(page, "totalUsers")).toHaveText(String(before.totalUsers));
  await fillIn(page, ada);
  const [request] = await Promise.all([page.waitForRequest(`**${WAITLIST_PATH}`), submit(page)]);

  await expect(joinedTitle(page)).toBeVisible();
  expect(await request.headerValue("authorization")).toBeNull();
  expect(await request.headerValue("cookie")).toBeNull();
  await expect(stat(page, "totalUsers")).toHaveText(String(before.totalUsers + 1));
  await expect(stat(page, "companiesInterested")).toHaveText(String(before.companiesInterested + 1));
  const row = await db.selectFrom("sign_ups").selectAll().where("email", "=", ada.email).executeTakeFirst();
  expect(row).toMatchObject({ first_name: "Ada", company: ada.company, newsletter: false });
});

test("the form sends POST /api/waitlist with exactly six fields as JSON, as typed", async ({ page }) => {
  const bodies: unknown[] = [];
  await page.route(`**${WAITLIST_PATH}`, (route) => {
    const request = route.request();
    expect([request.method(), request.headers()["content-type"]]).toEqual(["POST", "application/json"]);
    bodies.push(request.postDataJSON());
    return route.fulfill({ status: 500 });
  });
  const sent = async () => {
    const { length } = bodies;
    await submit(page);
    await expect.poll(() => bodies.length).toBe(length + 1);
    await expect(button(page)).toBeEnabled();
    return bodies.at(-1);
  };
  const { firstName, lastName, email } = aSignUp({ firstName: "Zoë Ann", lastName: "O'Neil" });
  await openReadyToSubmit(page, "/?utm_source=launch&firstName=Eve");
  await expect(page.getByRole("checkbox")).not.toBeChecked();
  for (const [label, text] of Object.entries({ "First name": firstName, "Last name": lastName, Email: email })) {
    await field(page, label).fill(text);
  }
  const blank = { firstName, lastName, email, company: "", newsletter: false, website: "" };
  expect(await sent()).toEqual(blank);
  await field(page, "Company").fill("Acme & Söhne");
  expect(await sent()).toEqual({ ...blank, company: "Acme & Söhne" });
  await page.getByRole("checkbox").check();
  await page.locator("input[name=website]").fill("https://spam.example", { force: true });
  const filled = { ...blank, company: "Acme & Söhne", newsletter: true, website: "https://spam.example" };
  expect(await sent()).toEqual(filled);
  await page.getByRole("checkbox").uncheck();
  await field(page, "First name").fill("Ada");
  expect(await sent()).toEqual({ ...filled, firstName: "Ada", newsletter: false });
});

test("while submitting, the button is disabled and labeled Joining..., and nothing more is sent", async ({ page }) => {
  const calls = recordCalls(page);
  await openFilledIn(page);
  for (const attempt of [1, 2]) {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(
      `**${WAITLIST_PATH}`,
      async (route) => {
        await held;
        await (attempt === 1 ? route.abort() : route.continue());
      },
      { times: 1 },
    );
    // Submits twice before React disables the button.
    await page.locator("form").evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await expect(button(page)).toHaveJSProperty("disabled", true);
    await expect(button(page)).toHaveText(content.joining);
    await expectSeen(button(page));
    await field(page, "Email").press("Enter");
    await expect(button(page)).toHaveText(content.joining);
    expect(calls.filter((call) => call === `POST ${WAITLIST_PATH}`)).toHaveLength(attempt);
    release();
    if (attempt === 1) await expect(button(page)).toBeEnabled();
  }
  await expect(button(page)).toHaveCount(0);
});

test("after joining, a green card with its full text replaces the form and takes focus", async ({ page }) => {
  await openFilledIn(page);
  const form = await page.locator("form").evaluate((element) => element.getBoundingClientRect().toJSON());
  const heightBefore = await page.evaluate(() => document.documentElement.scrollHeight);
  await submit(page);
  const card = page.getByRole("group", { name: content.joinedTitle });
  await expect(card.getByText(content.joinedText, { exact: true })).toBeVisible();
  await expect(page.locator("form input[name=email]")).toHaveCount(0);
  await expect(card).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(heightBefore);

  await expect(card.getByRole("heading")).toHaveCSS("color", computedColor(dark.good));
  expect(await card.boundingBox()).toMatchObject({ x: form.x, width: form.width });
  await expect(card).toHaveText(content.joinedTitle + content.joinedText);
  // If mail is off, no note asks the visitor to confirm.
  await expect(page.locator(".confirm-note")).toHaveCount(visitor()?.hasMail ? 1 : 0);
  const own = page.viewportSize() ?? { width: 0, height: 0 };
  await onEachScreen(page, () => expectSeen(card.locator("h3, p")));
  await page.setViewportSize(own);
  await card.evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
  // The border and background are green, however the style sheet writes the color.
  await expect(async () => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await card.boundingBox()) ?? {};
    for (const clip of [
      { x: x + 100, y, width: 1, height: 1 },
      { x: x + width / 4, y: y + height * 0.4, width: 10, height: 10 },
    ]) {
      const [[red = 0, green = 0, blue = 0] = []] = await pixels(page, clip);
      expect(green).toBeGreaterThan(1.5 * red);
      expect(green).toBeGreaterThan(blue);
    }
  }).toPass({ timeout: 15_000 });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await expectFadeIn(card, 0, 500);

  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  const menu = page.getByRole("button", { name: content.openMenu });
  if (await menu.isVisible()) await activate(menu);
  await activate(page.getByRole("link", { name: content.navButton, exact: true }));
  await expectLandedAt(page.locator("#waitlist h2"));
});

test("a retry after a lost response joins once, and a duplicate is told so", async ({ page, db }) => {
  const ada = aSignUp();
  const keys: (string | undefined)[] = [];
  await page.route(`**${WAITLIST_PATH}`, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await openFilledIn(page, ada);
  await submit(page);
  await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
  await submit(page);
  await expect(joinedTitle(page)).toBeVisible();
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
  const rows = await db.selectFrom("sign_ups").select("id").where("email", "=", ada.email).execute();
  expect(rows).toHaveLength(1);
  const pricing = page.locator("footer").getByRole("link", { name: "Pricing" });
  await pricing.click();
  await expect(toast(page)).toContainText(`${content.upcoming} Pricing`);
  await expect(toast(page)).toContainText(content.upcomingIfJoined);

  await openFilledIn(page, aSignUp({ ...ada, email: ada.email.toUpperCase() }));
  const [response] = await Promise.all([page.waitForResponse(`**${WAITLIST_PATH}`), submit(page)]);
  expect(response.status()).toBe(409);
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  await expect(toast(page)).toContainText("This email is already on our waitlist.");
  await pricing.press("Enter");
  await expect(toast(page)).toContainText(content.upcomingIfJoined);
});
