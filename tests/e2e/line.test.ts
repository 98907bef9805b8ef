import type { Page } from "@playwright/test";
import * as content from "#brand/content.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { createToken } from "#core/links/links.ts";
import { MAIL_SECRET, type MailSite } from "#tests/support/mail-site.ts";
import { passMidnight } from "#tests/support/midnight.ts";
import { addPeople } from "#tests/support/people.ts";
import { aSignUp, keyOf } from "#tests/support/sign-ups.ts";
import { fillIn, openReadyToSubmit, submit } from "#tests/support/visitor.ts";
import { expect, test } from "./mail-fixtures.ts";

/** Signs up through a link, and returns the new member page's URL. */
async function join(page: Page, { site, db }: MailSite, link: string, email: string): Promise<string> {
  await openReadyToSubmit(page, link);
  await fillIn(page, aSignUp({ email }));
  await submit(page);
  await expect(page.getByRole("group", { name: content.joinedTitle })).toBeVisible();
  const columns = db.selectFrom("sign_ups").select(["id", "email_key"]).where("email_key", "=", keyOf(email));
  const token = createToken(
    "membership",
    createKeys(MAIL_SECRET),
    await columns.executeTakeFirstOrThrow(),
    new Date("2100-01-01"),
  );
  return `${site.origin}${MEMBERSHIP_PATH}/${token}`;
}

async function confirm(page: Page, memberPage: string): Promise<void> {
  await page.goto(memberPage);
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByText("Thank you. Your address is confirmed.")).toBeVisible();
}

test("a member moves up a week per friend who joins through their link, and back when one leaves", async ({
  browser,
  mailSite,
}) => {
  test.slow();
  const { db, site } = mailSite;
  // Moves everyone else too far ahead to be passed.
  await db.pool.query("update sign_ups set joined_at = joined_at - interval '60 days'");
  for (const days of [3, 10, 17]) {
    const ids = await addPeople(db, [{ email: `joined-${days}-days-ago@example.com` }]);
    await db.pool.query("update sign_ups set joined_at = now() - $2 * interval '1 day' where id = any($1)", [
      ids,
      days,
    ]);
  }
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const ada = await context.newPage();
  await confirm(ada, await join(ada, mailSite, site.origin, "ada.line@example.com"));
  const ahead = async () => {
    await ada.reload();
    return Number(
      /(\d+) (?:people|person)/.exec(
        (await ada.getByRole("heading", { name: "ahead of you" }).textContent()) ?? "",
      )?.[1],
    );
  };
  const start = await ahead();
  await ada.getByRole("button", { name: "Copy message" }).press("Enter");
  await expect(ada.getByRole("button", { name: "Copied" })).toBeVisible();
  const message = await ada.evaluate(() => navigator.clipboard.readText());
  const [, sentence, link = ""] = /^(.{20,}) (http:\S+)$/.exec(message) ?? [];
  expect(sentence).toContain("waitlist");
  // Without script, the message can be selected in its field.
  const scriptless = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await scriptless.goto(ada.url());
  await expect(scriptless.getByRole("button", { name: "Copy message" })).toBeHidden();
  await scriptless.keyboard.press("Tab");
  await expect(scriptless.getByRole("textbox", { name: "A message with your link" })).toBeFocused();
  await scriptless.keyboard.press("Control+A");
  await scriptless.keyboard.press("Control+C");
  await ada.getByLabel("First name").fill("");
  await ada.getByLabel("First name").press("Control+V");
  await expect(ada.getByLabel("First name")).toHaveValue(message);

  const friend = async (email: string) => {
    const visitor = await browser.newPage();
    const page = await join(visitor, mailSite, link, email);
    await confirm(visitor, page);
    await passMidnight(db);
    return page;
  };
  const bob = await friend("bob.line@example.com");
  expect(await ahead()).toBe(start - 1);
  await friend("cy.line@example.com");
  expect(await ahead()).toBe(start - 2);
  await expect(ada.getByText("2 friends have joined through your link and confirmed.")).toBeVisible();

  const visitor = await browser.newPage();
  await visitor.goto(bob);
  await visitor.locator("summary").click();
  await visitor.getByRole("button", { name: "Erase everything" }).click();
  await expect(visitor.getByText("We've erased your data")).toBeVisible();
  await passMidnight(db);
  expect(await ahead()).toBe(start - 1);
  for (const email of ["bob.line+1@example.com", "bob.line+2@example.com"]) {
    await friend(email);
    expect(await ahead()).toBe(start - 2);
  }
});

test("the place is the page's heading, with the people ahead drawn on a horizon that fits any screen", async ({
  page,
  mailSite,
}) => {
  const { db, site } = mailSite;
  await confirm(page, await join(page, mailSite, site.origin, "dot.line@example.com"));
  const heading = page.getByRole("heading", { level: 1 });
  const number = heading.locator("b");
  const dots = page.locator(".horizon g circle");
  for (const width of [360, 768, 1280, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    await expect(heading).toHaveText(/^[\d,]+ (person is|people are) ahead of you$/);
    expect(Number(await number.textContent())).toBe(await dots.count());
    expect((await number.boundingBox())?.height).toBeGreaterThanOrEqual(80);
    const [ring, line] = [
      await page.locator(".ring").first().boundingBox(),
      await page.locator(".horizon").boundingBox(),
    ];
    expect((ring?.x ?? 0) + (ring?.width ?? 0) / 2).toBeCloseTo(width / 2, 0);
    expect([line?.x, line?.width]).toEqual([0, width]);
    const [nearest, last] = [await dots.first().boundingBox(), await dots.last().boundingBox()];
    expect(nearest?.x).toBeGreaterThan((ring?.x ?? 0) + (ring?.width ?? 0));
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThan(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await expect(page.locator(".horizon")).toHaveAttribute("aria-hidden", "true");
  await db.pool.query(
    "update sign_ups set invited_at = now() where line_at is not null and email <> 'dot.line@example.com'",
  );
  await page.reload();
  await expect(heading).toHaveText("Nobody is ahead of you");
  await expect(dots).toHaveCount(0);
});
