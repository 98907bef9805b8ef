import { expect, type Page } from "@playwright/test";
import { inviteNext } from "#core/invitations/waves.ts";
import { readMessage } from "#core/messages/messages.ts";
import { createMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { button, open, openFilter, refetch } from "#tests/support/console.ts";
import { test } from "#tests/support/console-mail.ts";
import { startAdasConsole } from "#tests/support/console-parts.ts";
import { NEWS } from "#tests/support/messages.ts";

const dialog = (page: Page) => page.getByRole("dialog");

test.describe("in Berlin", () => {
  test.use({ timezoneId: "Europe/Berlin" });

  test("a marketer schedules a message for tomorrow at 9:00, and sees the time in UTC too", async ({ page, db }) => {
    await page.clock.setSystemTime("2030-11-15T12:00:00Z");
    const { id } = await createMessage(db, OPERATOR, NEWS);
    await open(page, `messages/${id}?send`);
    await button(page, "Tomorrow 9:00").click();
    await expect(page.getByLabel("When, in your time zone")).toHaveValue("2030-11-16T09:00");
    const time = "Nov 16, 09:00 in your time zone (Europe/Berlin), Nov 16, 08:00 UTC";
    await expect(dialog(page)).toContainText(time);
    await page.getByRole("button", { name: /^Schedule for \d+ people$/ }).click();
    await expect(page.getByText("Scheduled", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Progress" })).toContainText(`Starts ${time}.`);
    expect(await readMessage(db, id)).toMatchObject({
      state: "scheduled",
      startedAt: new Date("2030-11-16T08:00:00Z"),
    });
    await db.pool.query("update messages set started_at = now() where id = $1", [id]);
    await refetch(page);
    await expect(page.getByText(/about \d minutes left/)).toBeVisible();
  });

  test("days, times and filters are in the marketer's time zone, with UTC on hover", async ({ page, db }) => {
    await createMessage(db, OPERATOR, NEWS);
    await db.pool.query("update activity set at = '2026-11-02T23:30:00Z'");
    await open(page, "activity?on=2026-11-03");
    const time = page.getByRole("region", { name: "Nov 3, 2026" }).getByRole("time").first();
    await expect(time).toHaveText("00:30");
    await expect(time).toHaveAttribute("title", "2026-11-02 23:30 UTC");

    await open(page, "people");
    await (await openFilter(page, "Since")).getByLabel("Since").fill("2026-11-30");
    await expect(page).toHaveURL(/since=2026-11-29T23%3A00%3A00.000Z/);
    await expect(button(page, "Since Nov 30")).toBeVisible();
    await page.reload();
    await expect((await openFilter(page, "Since")).getByLabel("Since")).toHaveValue("2026-11-30");

    // The chart's six-hour points start at 0, 6, 12 or 18 UTC; the marketer's clock is an hour ahead.
    await open(page, "overview");
    await expect(page.getByRole("img", { name: /Most: \w+ \d+, (01|07|13|19):00 · / })).toBeVisible();
  });
});

test("a marketer cancels a message, corrects it for those who didn't get it, and later duplicates it", async ({
  page,
  db,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id } = await createMessage(db, OPERATOR, {
    ...NEWS,
    body: "Hi **{{firstName}}**",
    audience: { company: "Acme" },
  });
  await db.pool.query("update sign_ups set company_key = 'acme', newsletter = true where confirmed_at is not null");
  await open(page, `messages/${id}?send`);
  await page.getByRole("button", { name: /^Send to [\d,]+ people$/ }).click();
  await button(page, "Cancel message…").click();
  await button(page, "Cancel message").click();
  await page.getByRole("button", { name: /^Write to the [\d,]+ people who didn't get it$/ }).click();
  await expect(page.getByText("The audience is final.")).toBeVisible();
  await page.getByLabel("Subject").fill("News, corrected");
  await button(page, "Review and send…").click();
  await page.getByRole("button", { name: /^Send to [\d,]+ people$/ }).click();
  await expect(page.getByText("Sending", { exact: true })).toBeVisible();

  await page.getByText("Markdown").click();
  await button(page, "Copy").click();
  await expect(button(page, "Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Hi **{{firstName}}**");
  await button(page, "Duplicate").click();
  await expect(page.getByLabel("Subject")).toHaveValue("News, corrected");
  await expect(button(page, "Company: Acme")).toBeVisible();
});

test("a marketer sees who gets a message while writing it, and tests it at the address of last time", async ({
  page,
  db,
}) => {
  const { rows } = await db.pool.query(
    `select count(*)::integer as people, count(*) filter (
       where confirmed_at is not null and suppressed_at is null and newsletter)::integer as recipients from sign_ups`,
  );
  const [people, recipients] = [rows[0].people, rows[0].recipients].map((count) => count.toLocaleString("en"));
  await open(page, "messages/new?kind=announcement");
  await expect(page.locator("form .reach")).toHaveText(`${recipients} of ${people} get this`);
  const fields = (await openFilter(page, "Company")).locator("summary");
  for (const name of ["Confirmed", "Suppressed", "Newsletter"])
    await expect(fields.filter({ hasText: new RegExp(`^${name}$`) })).toHaveCount(0);
  await button(page, "Filter").click();
  await page.getByLabel("Subject").fill("News");
  await page.getByLabel("Body, in Markdown").fill("[**Read it**](https://example.com)");
  await page.getByText("Markdown help").click();
  await expect(page.getByText("A button, if it's a paragraph of its own")).toBeVisible();
  await page.getByRole("main").evaluate((main) => main.scrollTo(0, main.scrollHeight));
  await expect(page.locator("form .reach")).toBeInViewport();

  await button(page, "Send a test…").click();
  await page.getByLabel("Your email address").fill("me@example.com");
  await button(page, "Send test").click();
  await expect(page.getByText("It should be in your inbox soon.")).toBeVisible();
  await open(page, "messages/new?kind=announcement");
  await button(page, "Send a test…").click();
  await expect(page.getByLabel("Your email address")).toHaveValue("me@example.com");
});

test("an unsaved draft survives the console's restart", async ({ page: _, browser, db }) => {
  const context = await browser.newContext();
  let port = 0;
  for (const expected of ["", "Half a sentence"]) {
    const running = await startAdasConsole(db, { port });
    port = Number(new URL(running.url).port);
    const page = await context.newPage();
    await page.goto(running.url);
    await page.getByRole("link", { name: "Messages" }).click();
    await page.getByRole("link", { name: "New announcement" }).click();
    await expect(page.getByLabel("Body, in Markdown")).toHaveValue(expected);
    await page.getByLabel("Body, in Markdown").fill("Half a sentence");
    await running.stop();
  }
});

test("a wave that is taken back stays in the list, with the links for the product to refuse, and can be written to", async ({
  page,
  db,
}) => {
  const { id } = await inviteNext(db, OPERATOR, {}, 3);
  await open(page, "waves");
  const day = new Date().toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
  const row = page.getByRole("row", { name: new RegExp(`^Wave ${id} `) });
  await row.getByRole("button", { name: "Take back…" }).click();
  await button(page, "Take back").click();
  await row.getByRole("button", { name: "3 taken back…" }).click();
  await expect(page.getByLabel("IDs")).toHaveValue(/^([\w-]{22}\n?){3}$/);
  await expect(dialog(page)).toContainText("still work until they expire");
  await button(page, "Done").click();
  await row.getByRole("link", { name: "Write" }).click();
  await expect(button(page, `Wave of ${day}`)).toBeVisible();
});

test("the toolbar formats the selection by keyboard, it can be undone, and the preview stays in view", async ({
  page,
}) => {
  await open(page, "messages/new?kind=announcement");
  const body = page.getByLabel("Body, in Markdown");
  const select = (start: number, end: number) =>
    body.evaluate((field: HTMLTextAreaElement, range) => field.setSelectionRange(...range), [start, end] as const);
  await body.fill("Hi\none\ntwo");
  await select(0, 2);
  await button(page, "Bold").press("Enter");
  await expect(body).toHaveValue("**Hi**\none\ntwo");
  await button(page, "Italic").press("Enter");
  await expect(body).toHaveValue("***Hi***\none\ntwo");
  await page.keyboard.press("Control+z");
  await expect(body).toHaveValue("**Hi**\none\ntwo");
  // Selects from the middle of a line.
  await select(8, 14);
  await button(page, "List").press("Enter");
  await expect(body).toHaveValue("**Hi**\n- one\n- two");
  await expect(page.frameLocator("iframe").getByRole("listitem")).toHaveText(["one", "two"]);
  await select(0, 6);
  await button(page, "Heading").press("Enter");
  await button(page, "Link").press("Enter");
  await expect(body).toHaveValue("[# **Hi**](https://)\n- one\n- two");

  await page.setViewportSize({ width: 1440, height: 700 });
  const main = page.locator("main");
  await main.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  expect(await main.evaluate((element) => element.scrollTop)).toBeGreaterThan(300);
  await expect(page.getByRole("heading", { name: "Preview" })).toBeInViewport();
});
