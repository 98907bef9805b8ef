import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { brand } from "#brand/brand.ts";
import { recordActivity } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expect, test } from "#tests/support/console.ts";
import { test as testWithMail } from "#tests/support/console-mail.ts";

const PERSON = "700";

const personOf = (db: Database) =>
  db.selectFrom("sign_ups").selectAll().where("id", "=", PERSON).executeTakeFirstOrThrow();

async function openPerson(page: Page, id = PERSON): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/people/${id}`);
  await expect(page.getByRole("heading", { name: "Consent" })).toBeVisible();
}

async function resetPerson(db: Database): Promise<void> {
  await db.pool.query("delete from deliveries where sign_up_id = $1", [PERSON]);
  await db.pool.query(
    `update sign_ups set invited_at = null, wave_id = null, rejected_at = null, confirmed_at = now(), newsletter = true,
       mail_due = false where id = $1`,
    [PERSON],
  );
}

testWithMail(
  "everything that can be done with one person is done by keyboard, and is in the activity",
  async ({ page, db }) => {
    await resetPerson(db);
    const { email } = await personOf(db);
    await openPerson(page);

    await page.getByRole("button", { name: "Edit…" }).press("Enter");
    const save = page.getByRole("button", { name: "Save" });
    await expect(save).toBeDisabled();
    const dialog = page.getByRole("dialog", { name: "Edit this person" });
    await dialog.getByLabel("First name").fill("");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toHaveText("First name is required.");
    await dialog.getByLabel("First name").fill("Augusta");
    await dialog.getByLabel("Company").fill("Analytical Engines");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: /^Augusta / })).toBeVisible();

    await page.getByRole("button", { name: "Send link" }).press("Enter");
    await expect(page.getByText("The email with their link is on its way.")).toBeVisible();
    await page.getByRole("button", { name: "Send link" }).press("Enter");
    await expect(page.getByRole("alert")).toHaveText("A link is on its way already.");

    await page.getByRole("button", { name: "Invite…" }).press("Enter");
    await page.getByRole("button", { name: "Invite", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Take back invitation" }).press("Enter");
    await expect(page.getByText("Took back the invitation.")).toBeVisible();
    await page.getByRole("button", { name: "Unsubscribe" }).press("Enter");
    await expect(page.getByText("Unsubscribed.")).toBeVisible();

    expect(await personOf(db)).toMatchObject({
      first_name: "Augusta",
      company: "Analytical Engines",
      mail_due: true,
      invited_at: null,
      newsletter: false,
    });
    await expect(page.getByRole("dialog").getByText(/^ada (edited|emailed|invited|uninvited|unsubscribed)/)).toHaveText(
      [
        "ada unsubscribed them",
        "ada uninvited them",
        /^ada invited them \(wave \d+\)$/,
        "ada emailed a member link to them",
        "ada edited them",
      ],
    );

    await page.getByRole("link", { name: "Activity" }).press("Enter");
    const link = page.getByRole("main").getByRole("link", { name: email });
    await expect(link).toHaveCount(5);
    await link.first().press("Enter");
    await expect(page).toHaveURL(new RegExp(`/people/${PERSON}$`));
  },
);

testWithMail(
  "a link that an operator sends arrives, and is among the person's emails",
  async ({ page, db, smtp, startWorker }) => {
    await resetPerson(db);
    const { email } = await personOf(db);
    await openPerson(page);
    await page.getByRole("button", { name: "Send link" }).click();
    await expect(page.getByText("The email with their link is on its way.")).toBeVisible();
    await startWorker();
    const subjects = () => smtp.mails.filter(({ to }) => to?.[0]?.address === email).map(({ subject }) => subject);
    await expect.poll(subjects, { timeout: 20_000 }).toEqual([`Your ${brand.name} waitlist link`]);
    await page.reload();
    await expect(page.getByRole("listitem").filter({ hasText: "Link to their page" })).toContainText("Sent");
  },
);

test("Escape closes a dialog, and only then the person behind it", async ({ page }) => {
  await openPerson(page);
  await page.getByRole("button", { name: "Edit…" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Edit this person" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Consent" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/people$/);
});

test("a person's emails say what, when and why not", async ({ page, db }) => {
  await resetPerson(db);
  await db.pool.query(
    `insert into deliveries (message_id, sign_up_id, state, reason, sent_at, tried_at) values
       (1, $1, 'sent', null, '2026-11-01 10:00Z', '2026-11-01 10:00Z'),
       (2, $1, 'failed', 'expired', null, '2026-11-02 11:00Z')`,
    [PERSON],
  );
  await openPerson(page);
  const emails = page.getByRole("dialog").getByRole("list").first().getByRole("listitem");
  await expect(emails).toHaveText([
    /^Confirmation.*Sent.*2026-11-01 10:00/,
    /^Link to their page.*Failed.*tried for two days · 2026-11-02 11:00/,
  ]);
  await expect(page.getByText("No operator activity yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send link" })).toHaveCount(0);
});

test("an erased person's entries stay and name nobody", async ({ page, db }) => {
  const { email } = await personOf(db);
  await recordActivity(db, OPERATOR, { action: "edit", person: PERSON });
  await openPerson(page);
  await page.getByRole("button", { name: "Erase…" }).press("Enter");
  await page.getByLabel("Address", { exact: true }).fill(email);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toContainText([
    "ada erased someone who was on the list",
    "ada edited someone who is no longer on the list",
  ]);
  await expect(page.getByRole("main")).not.toContainText(email);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations in the activity and in a person's dialogs, ${colorScheme}`, async ({ page, db }) => {
    test.slow();
    await page.emulateMedia({ colorScheme });
    await resetPerson(db);
    await recordActivity(db, OPERATOR, { action: "edit", person: PERSON });
    await recordActivity(db, OPERATOR, { action: "invite", wave: "12", count: 500 });
    await page.goto(`${new URL(page.url()).origin}/activity`);
    await expect(page.getByText("ada invited 500 people (wave 12)")).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await openPerson(page);
    for (const dialog of ["Edit…", "Invite…", "Erase…"]) {
      await page.getByRole("button", { name: dialog }).click();
      expect((await new AxeBuilder({ page }).analyze()).violations, dialog).toEqual([]);
      await page.keyboard.press("Escape");
    }
  });
}

test.describe("read-only", () => {
  test.use({ isReadOnly: true });

  test("shows a person's emails and activity, and offers no change", async ({ page, db }) => {
    await recordActivity(db, OPERATOR, { action: "edit", person: PERSON });
    await openPerson(page);
    await expect(page.getByText("ada edited")).toBeVisible();
    await expect(page.getByRole("dialog").getByRole("button")).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Close" })).toBeVisible();
    await page.goto(`${new URL(page.url()).origin}/activity`);
    await expect(page.getByText("ada edited")).toBeVisible();
    await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  });
});
