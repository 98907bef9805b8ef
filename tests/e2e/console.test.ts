import { recordActivity } from "#core/activity/activity.ts";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { createMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { expect, open, refetch, test, untilLoaded } from "#tests/support/console.ts";
import { NEWS } from "#tests/support/messages.ts";
import { recordCalls, untilRecorded } from "#tests/support/visitor.ts";

const VIEWS = ["overview", "people", "messages", "waves", "export", "quarantine", "activity"];

test("a reload keeps the session, and another tab is told how to get one", async ({ page, context }) => {
  expect(new URL(page.url()).hash).toBe("");
  await page.reload();
  await expect(page.getByText("2,000", { exact: true }).first()).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole("heading", { name: "This tab has no session" })).toBeVisible();
});

/** The buttons that open each view's dialogs. */
const DIALOGS: Record<string, string[]> = {
  waves: ["Take back…", "Make secret…"],
  "people/700": ["Edit…", "Invite…", "Erase…"],
};

test("axe finds no violations in any view or dialog, and nothing is logged or sent elsewhere", async ({ page, db }) => {
  test.slow();
  await db.pool.query("update sign_ups set invited_at = null, wave_id = null where id = 700");
  await recordActivity(db, OPERATOR, { action: "edit", person: "700" });
  await db.pool.query(
    `insert into deliveries (message_id, sign_up_id, state, reason, tried_at)
      select 1, min(id), 'failed', 'refused', now() from sign_ups
      on conflict (sign_up_id, message_id) do update set state = 'failed', reason = 'refused'`,
  );
  const messages: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => messages.push(message.text()));
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  for (const path of [...VIEWS, "people?source=nobody", "people/700", "nothing"]) {
    await open(page, path);
    await untilLoaded(page);
    if (path === "overview") await expect(page.getByText("Gave up on 1 email")).toBeVisible();
    await expectNoViolationsLightAndDark(page, path);
    for (const name of DIALOGS[path] ?? []) {
      await page.getByRole("button", { name }).first().click();
      await expectNoViolationsLightAndDark(page, name);
      await page.keyboard.press("Escape");
    }
  }
  expect([...hosts]).toEqual([new URL(page.url()).host]);
  expect(messages).toEqual([]);
});

test("at 768 px, no row of a table covers another, and nothing is cut off", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  for (const view of ["people", "quarantine", "waves"]) {
    await open(page, view);
    const rows = page.locator("tbody tr");
    await expect(rows.nth(2)).toBeVisible();
    const tops = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(tops.length);
    const hidden = await page
      .locator(".grid, td:has(.row-links)")
      .evaluateAll((all) =>
        all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth).filter((width) => width > 0),
      );
    expect(hidden, view).toEqual([]);
  }
});

test("on a phone, a menu names the views and closes on the way, a view opens at its top, and no wave is cut off", async ({
  page,
  db,
}) => {
  const { id } = await inviteNext(db, OPERATOR, {}, 3);
  await uninviteWave(db, OPERATOR, id);
  // Makes the activity long enough to scroll.
  for (let count = 1; count <= 30; count += 1) await recordActivity(db, OPERATOR, { action: "export", count });
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 700 });
    // Loads the activity first, so that its view is long as soon as it opens.
    await open(page, "activity");
    await untilLoaded(page);
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await page.getByRole("link", { name: "Overview", exact: true }).press("Enter");
    await expect(page.getByRole("heading", { name: "Sign-ups" })).toBeVisible();
    const main = page.locator("main");
    await main.evaluate((element) => element.scrollTo(0, 500));
    const link = page.getByRole("link", { name: "Activity", exact: true });
    await expect(link).toBeHidden();
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await expectNoViolationsLightAndDark(page, `menu at ${width} px`);
    await link.press("Enter");
    await expect(page.getByRole("heading", { name: "Activity" })).toBeVisible();
    await expect(link).toBeHidden();
    expect(await main.evaluate((element) => element.scrollTop)).toBe(0);

    await open(page, "waves");
    await expect(page.getByRole("button", { name: "3 taken back…" })).toBeVisible();
    const cut = await page
      .locator("main, .grid, .grid :is(th, td)")
      .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
    expect(cut, `at ${width} px`).toBe(0);
  }
});

test("a hidden or idle page sends no requests, and refetches when the operator is back", async ({ page }) => {
  const calls = recordCalls(page);
  const setVisibility = (state: "hidden" | "visible") =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }, state);
  const expectQuietFor = async (minutes: number) => {
    await untilRecorded(page);
    calls.length = 0;
    for (let minute = 0; minute < minutes; minute += 1) await page.clock.fastForward("01:00");
    await untilRecorded(page);
    expect(calls).toEqual([]);
  };
  await untilLoaded(page);
  await setVisibility("hidden");
  await expectQuietFor(2);
  await setVisibility("visible");
  await expect.poll(() => calls).toContain("GET /api/overview");
  await page.clock.fastForward("05:01");
  await expectQuietFor(5);
  await page.mouse.move(200, 200);
  await expect.poll(() => calls).toContain("GET /api/overview");
});

test("a wave is taken back by keyboard after a confirmation, and the activity says so", async ({ page, db }) => {
  const { rows } = await db.pool.query(
    "select wave_id as id, count(*)::integer as people from sign_ups where wave_id is not null and accepted_at is null group by 1 order by 1 desc",
  );
  const [{ id, people }] = rows;
  for (let count = 1; count <= 150; count += 1)
    await recordActivity(db, OPERATOR, { action: "invite", wave: String(count), count });
  await page.getByRole("link", { name: "Waves" }).click();
  const takeBack = page.getByRole("button", { name: `Take back… wave ${id}` });
  await takeBack.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Take back ${people} invitations?` });
  await expect(dialog).toContainText(`Everyone in wave ${id}`);
  await page.keyboard.press("Escape");
  // Waits for the dialog's removal, because the browser hides a dialog some milliseconds before it fires "close".
  await expect(page.locator("dialog")).toHaveCount(0);
  await expect(takeBack).toBeFocused();
  await takeBack.press("Enter");
  await dialog.getByRole("button", { name: "Take back" }).press("Enter");
  await expect(page.getByText(`Took back ${people} invitations.`)).toBeVisible();
  await expect(takeBack).toHaveCount(0);

  // The activity lists this change first, with links, and shows older entries on request.
  await page.getByRole("link", { name: "Activity" }).click();
  const entries = page.getByRole("main").getByRole("listitem");
  await expect(entries.first()).toContainText(`ada uninvited ${people} people (wave ${id})`);
  await expect(entries.nth(1).getByRole("link", { name: "wave 150" })).toHaveAttribute("href", "/people?wave=150");
  await expect(entries).toHaveCount(100);
  await page.getByRole("button", { name: "Show older" }).press("Enter");
  await expect(entries.last()).toContainText("ada invited 1 person (wave 1)");
  await expect(page.getByRole("button", { name: "Show older" })).toHaveCount(0);

  // Filters are part of the URL.
  const { id: message } = await createMessage(db, { name: "bob", via: "console" }, NEWS);
  await page.reload();
  await page.getByLabel("Operator").selectOption("bob");
  await expect(entries).toHaveText([/^bob drafted “News”/]);
  await expect(entries.getByRole("link", { name: "News" })).toHaveAttribute("href", `/messages/${message}`);
  await page.getByLabel("Day").fill("2020-01-31");
  await expect(page.getByText("Nobody did anything that matches.")).toBeVisible();
  expect(new URL(page.url()).search).toBe("?by=bob&on=2020-01-31");
});

test.describe("an empty list", () => {
  test.use({ isEmpty: true });

  test("every view says that it is empty, and the overview fills when the first person joins", async ({ page, db }) => {
    for (const [name, text] of Object.entries({
      Quarantine: "Nothing to review.",
      Activity: "No activity yet.",
      Waves: "Nobody has been invited yet.",
      Messages: "No messages yet.",
      People: "Nobody has signed up yet.",
      Overview: "Nobody has signed up yet. Numbers appear here as people join.",
    })) {
      await page.getByRole("link", { name, exact: true }).click();
      await expect(page.getByText(text)).toBeVisible();
    }
    await db.pool.query(
      `insert into sign_ups (email_key, email, first_name, last_name, newsletter)
        values ('first@navy.example', 'first@navy.example', 'Grace', 'Hopper', false)`,
    );
    await db.pool.query("update totals set users = 1 where slot = 0");
    await refetch(page);
    await expect(page.getByText("first@navy.example")).toBeVisible();
    await expect(page.getByRole("main")).toContainText("None.");
  });
});
