import { brand } from "#brand/brand.ts";
import { recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { button, expect, open, test } from "#tests/support/console.ts";
import { test as testWithMail } from "#tests/support/console-mail.ts";

const PERSON = "700";

const personOf = (db: Database) =>
  db.selectFrom("sign_ups").selectAll().where("id", "=", PERSON).executeTakeFirstOrThrow();

async function resetPerson(db: Database): Promise<void> {
  await db.pool.query("delete from deliveries where sign_up_id = $1", [PERSON]);
  await db.pool.query(
    `update sign_ups set invited_at = null, wave_id = null, suppressed_at = null, confirmed_at = now(), newsletter = true,
       mail_network = null where id = $1`,
    [PERSON],
  );
}

testWithMail(
  "everything that can be done with one person is done by keyboard, and is in the activity",
  async ({ page, db }) => {
    await resetPerson(db);
    const { email } = await personOf(db);
    await open(page, `people/${PERSON}`);

    await button(page, "Edit…").press("Enter");
    await expect(button(page, "Save")).toBeDisabled();
    const dialog = page.getByRole("dialog", { name: "Edit this person" });
    await dialog.getByLabel("First name").fill("");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toHaveText("First name is required.");
    await dialog.getByLabel("First name").fill("Augusta");
    await dialog.getByLabel("Company").fill("Analytical Engines");
    // An edit doesn't overwrite fields that someone else has changed since.
    await db.pool.query("update sign_ups set last_name = 'King' where id = $1", [PERSON]);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Augusta King" })).toBeVisible();
    await expect(button(page, "Edit…")).toBeFocused();

    await button(page, "Send link").press("Enter");
    await expect(page.getByText("Queued an email with their link.")).toBeVisible();
    await button(page, "Send link").press("Enter");
    await expect(page.getByRole("alert")).toHaveText("An email with their link is waiting to be sent.");

    await button(page, "Invite…").press("Enter");
    await expect(page.getByText(`They get the email “You're invited to ${brand.name}” with their link.`)).toBeVisible();
    await button(page, "Invite").press("Enter");
    await expect(page.getByText("Invited.", { exact: true })).toBeVisible();
    await expect(button(page, "Take back invitation")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Took back the invitation.")).toBeVisible();
    await button(page, "Unsubscribe").press("Enter");
    await expect(page.getByText("Unsubscribed.")).toBeVisible();
    await button(page, "Suppress…").press("Enter");
    await button(page, "Suppress").press("Enter");
    await expect(page.getByText("Suppressed.")).toBeVisible();
    await expect(button(page, "Suppress…")).toHaveCount(0);

    expect(await personOf(db)).toMatchObject({
      first_name: "Augusta",
      company: "Analytical Engines",
      mail_network: null,
      invited_at: null,
      newsletter: false,
    });
    const history = page
      .getByRole("dialog")
      .getByText(/^ada (edited|emailed|invited|uninvited|unsubscribed|stopped|suppressed)/);
    await expect(history).toHaveText([
      "ada suppressed them",
      "ada unsubscribed them",
      "ada uninvited them",
      new RegExp(`^ada invited them \\(wave \\d+, “You're invited to ${brand.name}”\\)$`),
      "ada emailed a member link to them",
      "ada edited them",
    ]);
    await page.getByRole("link", { name: "Activity" }).press("Enter");
    const link = page.getByRole("main").getByRole("link", { name: email });
    await expect(link).toHaveCount(6);
    await link.first().press("Enter");
    await expect(page).toHaveURL(new RegExp(`/people/${PERSON}$`));
  },
);

test("a person's emails say why one failed, and after an erasure the activity names nobody", async ({ page, db }) => {
  await resetPerson(db);
  await db.pool.query(
    `insert into deliveries (message_id, sign_up_id, state, reason, sent_at, tried_at) values
       (1, $1, 'sent', null, '2026-11-01 10:00Z', '2026-11-01 10:00Z'),
       (2, $1, 'failed', 'expired', null, '2026-11-02 11:00Z')`,
    [PERSON],
  );
  await recordActivity(db, OPERATOR, { action: "edit", person: PERSON });
  const { email } = await personOf(db);
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByLabel("Search").fill(email);
  await page.getByRole("link", { name: email }).press("Enter");
  const emails = page.getByRole("dialog").getByRole("listitem").filter({ hasText: "Email ·" });
  await expect(emails).toHaveText([/^Link to their page.*Failed · tried for two days/, /^Confirmation.*Sent$/]);
  await expect(emails.first().getByRole("time")).toHaveAttribute("title", "Nov 2, 2026, 11:00 (2026-11-02 11:00 UTC)");
  // Mail is off.
  await expect(button(page, "Send link")).toHaveCount(0);
  await button(page, "Erase…").press("Enter");
  await expect(button(page, "Erase everything")).toBeDisabled();
  await page.getByLabel("Address", { exact: true }).fill(email);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Erased. They are no longer on the list.")).toBeVisible();
  await expect(page.getByText(`Nobody matches “${email}”.`)).toBeVisible();
  expect(await db.selectFrom("sign_ups").select("id").where("email", "=", email).execute()).toEqual([]);
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toContainText([
    "ada erased someone who was on the list",
    "ada edited someone who is no longer on the list",
  ]);
  await expect(page.getByRole("main")).not.toContainText(email);
});

test("friends are listed by domain, and voided and restored by keyboard", async ({ page, db }) => {
  await resetPerson(db);
  await db.pool.query(
    `update sign_ups set friend_of = case when id > $1 then $1 end, friends = case when id = $1 then 2 else 0 end,
      email_key = id || '@catch-all.example', confirmed_at = now() where id between $1 and $1::bigint + 2`,
    [PERSON],
  );
  await open(page, `people/${PERSON}`);
  const panel = page.getByRole("dialog");
  await expect(panel.getByText(/ahead of them$/)).toBeVisible();
  await expect(panel.getByText("2 friends counted at midnight UTC.")).toBeVisible();
  await expect(panel.getByText("2 joined, 2 confirmed")).toBeVisible();
  await expectNoViolationsLightAndDark(page);
  await button(page, "Void friends…").press("Enter");
  await button(page, "Void").press("Enter");
  await expect(panel.getByText("Voided: they don't count.")).toBeVisible();
  await button(page, "Count friends again…").press("Enter");
  await button(page, "Count").press("Enter");
  await expect(panel.getByText("0 friends counted at midnight UTC.")).toBeVisible();
  await expect(panel.getByText(/friends of/)).toHaveText([
    "ada restored the friends of them",
    "ada voided the friends of them",
  ]);
});

test("a person's panel closes by keyboard, and going back to another person closes the dialog and outcome", async ({
  page,
  db,
}) => {
  await db.pool.query("update sign_ups set invited_at = null, wave_id = null");
  await open(page, "people");
  const rows = page.locator(".row-link");
  for (const close of ["Escape", "Enter"]) {
    await rows.nth(3).press("Enter");
    await expect(button(page, "Close")).toBeFocused();
    await expect(page.getByRole("heading", { name: "Timeline" })).toBeVisible();
    if (close === "Escape") {
      await button(page, "Edit…").press("Enter");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("heading", { name: "Edit this person" })).toHaveCount(0);
      await expect(page.getByRole("heading", { name: "Timeline" })).toBeVisible();
    }
    await page.keyboard.press(close);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(rows.nth(3)).toBeFocused();
    await expect(page).toHaveURL(/\/people$/);
  }

  const [first = "", second = ""] = await rows.allTextContents();
  // A click anywhere in a row opens the person.
  await page
    .getByRole("row")
    .nth(1)
    .click({ position: { x: 600, y: 9 } });
  await expect(page.getByRole("dialog").getByText(first)).toBeVisible();
  await page.getByRole("link", { name: second }).click();
  await button(page, "Invite…").click();
  await button(page, "Invite").click();
  await expect(page.getByText("Invited.", { exact: true })).toBeVisible();
  await button(page, "Edit…").click();
  await page.getByLabel("First name").fill("Someone else's");
  await page.goBack();
  await expect(page.getByRole("dialog").getByText(first)).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Edit this person" })).toHaveCount(0);
  await expect(page.getByText("Invited.", { exact: true })).toHaveCount(0);
});
