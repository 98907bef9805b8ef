import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { ALREADY_JOINED } from "#contract/sign-up.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { expect, test } from "./fixtures.ts";
import {
  answerSignUpsWith,
  arrive,
  arriveAndRead,
  button,
  field,
  fillIn,
  recordCalls,
  stat,
  submit,
  toast,
} from "./visitor.ts";

const JOINED =
  "Thank you for joining our waitlist. We'll be in touch soon with exclusive updates and early access information.";

test("an anonymous visitor joins: a row in PostgreSQL, and the stats on the page go up", async ({ page, db }) => {
  const before = (await page.request.get(STATS_PATH).then((answer) => answer.json())).data;
  const ada = aSignUp({ company: `Analytical Engines ${process.pid} Ltd` });
  await arriveAndRead(page);
  await expect(stat(page, "Total users")).toHaveText(String(before.totalUsers));
  await fillIn(page, ada);
  await submit(page);

  await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeVisible();
  await expect(stat(page, "Total users")).toHaveText(String(before.totalUsers + 1));
  await expect(stat(page, "Companies interested")).toHaveText(String(before.companiesInterested + 1));
  const row = await db.selectFrom("sign_ups").selectAll().where("email", "=", ada.email).executeTakeFirst();
  expect(row).toMatchObject({ first_name: "Ada", company: ada.company, newsletter: false });
});

test("the call is POST /api/waitlist with a JSON body of exactly six fields, website among them and blank", async ({
  page,
}) => {
  const ada = aSignUp({ newsletter: true });
  await arriveAndRead(page);
  await fillIn(page, ada);
  const [request] = await Promise.all([page.waitForRequest(`**${WAITLIST_PATH}`), submit(page)]);
  expect(request.method()).toBe("POST");
  expect(await request.headerValue("content-type")).toBe("application/json");
  expect(request.postDataJSON()).toEqual({ ...ada, company: "", newsletter: true, website: "" });
});

test("company may stay empty, newsletter is false unless its box is ticked, and website is sent blank", async ({
  page,
}) => {
  await arriveAndRead(page);
  await expect(page.getByRole("checkbox")).not.toBeChecked();
  await fillIn(page, aSignUp());
  const [request] = await Promise.all([page.waitForRequest(`**${WAITLIST_PATH}`), submit(page)]);
  expect(request.postDataJSON()).toMatchObject({ company: "", newsletter: false, website: "" });
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
});

test("all calls include credentials", async ({ page, context, site }) => {
  await context.addCookies([{ name: "probe", value: "1", url: site.origin }]);
  const cookies: (string | null)[] = [];
  page.on("request", async (request) => {
    if (request.url().includes("/api/")) cookies.push(await request.headerValue("cookie"));
  });
  await arriveAndRead(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await expect.poll(() => cookies).toEqual(["probe=1", "probe=1", "probe=1"]);
});

test("while it is being sent, the button is disabled and labelled Joining...", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${WAITLIST_PATH}`, async (route) => {
    await held;
    await route.continue();
  });
  await arriveAndRead(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(button(page)).toBeDisabled();
  await expect(button(page)).toHaveText("Joining...");
  release();
  await expect(button(page)).toHaveCount(0);
});

test("once joined, a green card with its full text has taken the form's place, and the focus", async ({ page }) => {
  await arriveAndRead(page);
  await fillIn(page, aSignUp());
  const heightBefore = await page.evaluate(() => document.documentElement.scrollHeight);
  await submit(page);
  const card = page
    .locator("#waitlist div", { has: page.getByRole("heading", { name: "Successfully Joined!" }) })
    .last();
  await expect(card).toContainText(JOINED);
  await expect(card).toHaveCSS("border-top-color", /oklab|rgba?\(52, 211, 153/);
  await expect(page.locator("form")).toHaveCount(0);
  await expect(card).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(heightBefore);
});

test("stats are fetched on page load, again after a success, and at no other time", async ({ page }) => {
  const calls = recordCalls(page);
  await arriveAndRead(page);
  await page.evaluate(() => {
    dispatchEvent(new Event("blur"));
    dispatchEvent(new Event("focus"));
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.clock.fastForward("01:00:00");
  expect(calls).toEqual(["GET /api/waitlist/stats"]);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await expect.poll(() => calls).toEqual(["GET /api/waitlist/stats", "POST /api/waitlist", "GET /api/waitlist/stats"]);
});

test("a cached stats answer never un-counts the visitor who just joined", async ({ page }) => {
  await page.route(`**${STATS_PATH}`, (route) =>
    route.fulfill({ json: { data: { totalUsers: 0, companiesInterested: 0 } } }),
  );
  await arriveAndRead(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(stat(page, "Total users")).not.toHaveText("0");
});

test("on an error the form remains, with what was typed, its button enabled again and labelled as before", async ({
  page,
}) => {
  const ada = aSignUp({ company: "Acme", newsletter: true });
  await answerSignUpsWith(page, 500, "");
  await arriveAndRead(page);
  const label = await button(page).textContent();
  await fillIn(page, ada);
  await submit(page);
  await expect(toast(page)).toBeVisible();
  await expect(button(page)).toBeEnabled();
  await expect(button(page)).toHaveText(label ?? "");
  await expect(field(page, "First name")).toHaveValue("Ada");
  await expect(field(page, "Email")).toHaveValue(ada.email);
  await expect(field(page, "Company")).toHaveValue("Acme");
  await expect(page.getByRole("checkbox")).toBeChecked();
});

test("the same address in capitals: 409, and the duplicate's toast", async ({ page }) => {
  const ada = aSignUp();
  await page.request.post(WAITLIST_PATH, { data: ada });
  await arriveAndRead(page);
  await fillIn(page, { ...ada, email: ada.email.toUpperCase() });
  const [answer] = await Promise.all([page.waitForResponse(`**${WAITLIST_PATH}`), submit(page)]);
  expect(answer.status()).toBe(409);
  expect(await answer.text()).toContain(ALREADY_JOINED);
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  await expect(toast(page)).toContainText("This email is already on our waitlist.");
});

test.describe("validation", () => {
  const messages = {
    "First name": "First name is required",
    "Last name": "Last name is required",
    Email: "Please enter a valid email address",
  };

  for (const [label, message] of Object.entries(messages)) {
    test(`an empty ${label.toLowerCase()} is told so under its field, in words tied to it`, async ({ page }) => {
      await arriveAndRead(page);
      await submit(page);
      const input = field(page, label);
      const error = page.getByText(message, { exact: true });
      await expect(error).toBeVisible();
      await expect(input).toHaveAttribute("aria-invalid", "true");
      await expect(input).toHaveAccessibleDescription(message);
      const [above, below] = [await input.boundingBox(), await error.boundingBox()];
      expect(below?.y).toBeGreaterThan(above?.y ?? 0);
      expect(below?.x).toBe(above?.x);
    });
  }

  test("First name is required, Last name is required, Please enter a valid email address", async ({ page }) => {
    const calls = recordCalls(page);
    await arriveAndRead(page);
    await field(page, "Email").fill("ada@nowhere");
    await submit(page);
    for (const message of Object.values(messages)) await expect(page.getByText(message, { exact: true })).toBeVisible();
    expect(calls).not.toContain("POST /api/waitlist");
  });

  test("the first bad field takes the focus, and a mended one loses its message at once", async ({ page }) => {
    await arriveAndRead(page);
    await field(page, "First name").fill("Ada");
    await submit(page);
    await expect(field(page, "Last name")).toBeFocused();
    await page.keyboard.type("Lovelace");
    await expect(page.getByText("Last name is required")).toHaveCount(0);
  });
});

test("a submission less than 3000 ms after page load is blocked, with no call and a destructive toast", async ({
  page,
}) => {
  const calls = recordCalls(page);
  // A clock that stands still, however long the test takes.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/")]);
  await fillIn(page, aSignUp());
  await page.clock.runFor(2900);
  await submit(page);
  await page.clock.runFor(50);
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  await expect(toast(page)).toContainText("Please take a moment to review your information before submitting.");
  expect(calls).not.toContain("POST /api/waitlist");

  await page.clock.runFor(50);
  await submit(page);
  await page.clock.resume();
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
});

test("a double click sends one request", async ({ page }) => {
  const calls = recordCalls(page);
  await arriveAndRead(page);
  await fillIn(page, aSignUp());
  await page.evaluate(() => {
    const form = document.querySelector("form");
    form?.requestSubmit();
    form?.requestSubmit();
  });
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  expect(calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
});

test("what was typed before hydration survives it", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/hydrate-*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await field(page, "First name").fill("Ada");
  await page.getByRole("checkbox").check();
  const hydrated = page.waitForResponse(`**${STATS_PATH}`);
  release();
  await hydrated;
  await expect(field(page, "First name")).toHaveValue("Ada");
  await expect(page.getByRole("checkbox")).toBeChecked();
});

test("the honeypot is out of sight, out of the tab order, hidden from assistive technology and not autofilled", async ({
  page,
}) => {
  await arrive(page);
  const honeypot = page.locator("input[name=website]");
  await expect(honeypot).not.toBeInViewport();
  await expect(honeypot).toHaveAttribute("tabindex", "-1");
  await expect(honeypot).toHaveAttribute("autocomplete", "off");
  await expect(page.getByRole("textbox", { name: "Website" })).toHaveCount(0);
});

test("the whole journey works by keyboard alone", async ({ page }) => {
  const ada = aSignUp({ company: "Acme" });
  await arriveAndRead(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Farwatch" }).first()).toBeFocused();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press("Tab");
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

test("fifty identical sign-ups over HTTP at the same time: one joins, and the totals go up by one", async ({
  site,
  db,
}) => {
  const ada = aSignUp();
  const totals = () => db.selectFrom("totals").select("users").executeTakeFirstOrThrow();
  const before = await totals();
  const post = () =>
    fetch(site.origin + WAITLIST_PATH, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ada),
    });
  const answers = await Promise.all(Array.from({ length: 50 }, post));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
  const rows = await db.selectFrom("sign_ups").select("id").where("email", "=", ada.email).execute();
  expect(rows).toHaveLength(1);
  expect(Number((await totals()).users)).toBe(Number(before.users) + 1);
});
