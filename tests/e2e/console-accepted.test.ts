import { readAcceptanceSecrets } from "#core/invitations/acceptance-secrets.ts";
import { expectNoViolations } from "#tests/support/axe.ts";
import { button, expect, open, test } from "#tests/support/console.ts";

test("an admin makes a secret for used invitations, and sees it once", async ({ page, db }) => {
  await open(page, "waves");
  await button(page, "Make secret…").click();
  await expect(page.getByRole("dialog")).toContainText("works for another day");
  await page.keyboard.press("Escape");
  expect(await readAcceptanceSecrets(db)).toEqual([]);
  await button(page, "Make secret…").click();
  await button(page, "Make secret").click();
  const secret = page.getByLabel("Signing key");
  await expect(secret).toHaveValue(/^whsec_/);
  expect(await readAcceptanceSecrets(db)).toEqual([await secret.inputValue()]);
  await expectNoViolations(page, "secret");
  await button(page, "Done").click();
  await expect(page.getByText("whsec_")).toHaveCount(0);
  await expect(button(page, "Make secret…")).toBeFocused();
  await open(page, "activity");
  await expect(page.getByRole("main").getByRole("listitem").first()).toContainText(
    "made a secret for used invitations",
  );
});

test("an accepted invitation can't be taken back, alone or with its wave", async ({ page, db }) => {
  await db.pool.query("update sign_ups set accepted_at = null");
  const { rows } = await db.pool.query(
    "select wave_id as id, min(sign_ups.id) as person, count(*)::integer as people from sign_ups where wave_id is not null group by 1 order by 1 desc",
  );
  const [{ id, person, people }] = rows;
  await open(page, `people/${person}`);
  await expect(button(page, "Take back invitation")).toBeVisible();
  await db.pool.query("update sign_ups set accepted_at = now() where id = $1", [person]);
  await page.reload();
  await expect(page.getByText("Accepted their invitation")).toBeVisible();
  await expect(button(page, "Take back invitation")).toHaveCount(0);
  await expect(button(page, "Invite…")).toHaveCount(0);

  await open(page, "waves");
  await page.getByRole("button", { name: `Take back… wave ${id}` }).click();
  const dialog = page.getByRole("dialog", { name: `Take back ${people - 1} invitations?` });
  await expect(dialog).toContainText(`Everyone in wave ${id} who hasn't used their invitation goes back`);
  await dialog.getByRole("button", { name: "Take back" }).click();
  await expect(page.getByText(`Took back ${people - 1} invitations.`)).toBeVisible();
  await expect(page.getByRole("button", { name: `Take back… wave ${id}` })).toHaveCount(0);
});
