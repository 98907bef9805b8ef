import { confirmAddress } from "#core/members/member.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { button, expect, open, test } from "#tests/support/console.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { addPeople } from "#tests/support/people.ts";
import { keyOf } from "#tests/support/sign-ups.ts";

test.use({ isEmpty: true });

const ROWS = ["ada@example.com;Zoë Ångström", "bob@example.com;Bob Hope", "known@example.com;K N", "no address;A B"];
const fileOf = (rows: string[], buffer: Buffer = Buffer.from(`E-mail;Name;Phone\n${rows.join("\n")}`, "latin1")) => ({
  name: "people.csv",
  mimeType: "text/csv",
  buffer,
});

test.beforeEach(async ({ page, db, isReadOnly }) => {
  if (isReadOnly) return;
  await switchMail(db, true);
  await addPeople(db, [{ email: "known@example.com" }]);
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByRole("link", { name: "Import…" }).click();
});

test("an import is previewed, imported, set aside and brought back by keyboard, except people who confirmed", async ({
  page,
  db,
}) => {
  const run = async (rows: string[], people: string) => {
    await page.getByLabel("CSV file").setInputFiles(fileOf(rows));
    await page.getByLabel("Where they gave you").fill("Trade fair");
    await page.getByLabel("Consent wording").fill("Keep me posted.");
    await button(page, "Preview").press("Enter");
    await button(page, `Import ${people}`).waitFor();
  };
  await run(ROWS, "2 people");
  const preview = page.getByRole("region", { name: "2 new, 1 already on the list, 1 refused: 1 invalid" });
  await expect(preview.getByRole("definition")).toHaveText(["from “E-mail”", "from “Name”", "Phone"]);
  await expect(preview.getByRole("term")).toHaveText(["Email", "Name", "Ignored columns"]);
  await expect(preview.getByRole("list", { name: "Refused rows" })).toHaveText(/^Row 5: .*email/i);
  await expectNoViolationsLightAndDark(page);

  // Changing the form discards the preview.
  await page.getByLabel("Where they gave you").fill("Another fair");
  await expect(preview).toHaveCount(0);
  await run(ROWS, "2 people");
  await button(page, "Import 2 people").press("Enter");
  const outcome = page.getByRole("status").filter({ hasText: "Imported 2 people. They will be asked to confirm." });
  await expect(outcome).toBeVisible();
  await expect(preview).toHaveCount(0);
  await expect(page.getByLabel("CSV file")).toHaveValue("");
  await expectNoViolationsLightAndDark(page);
  await page.getByRole("link", { name: "2 people" }).click();
  await expect(page.getByText("Zoë Ångström")).toBeVisible();

  await page.goBack();
  const setAside = button(page, "Set aside… the import from Trade fair");
  await setAside.press("Enter");
  await expect(page.getByRole("dialog", { name: "Set 2 people aside?" })).toBeVisible();
  await button(page, "Set aside").press("Enter");
  await expect(page.getByText("Set 2 people aside. Quarantine can bring them back.")).toBeVisible();
  await expect(setAside).toHaveCount(0);
  await page.getByRole("link", { name: "Quarantine" }).click();
  await page.getByRole("button", { name: "Bring back… 2 people" }).press("Enter");
  await button(page, "Bring back").press("Enter");
  await expect(page.getByText("Brought 2 people back to the list.")).toBeVisible();

  const { id } = await db
    .selectFrom("sign_ups")
    .select("id")
    .where("email_key", "=", keyOf("ada@example.com"))
    .executeTakeFirstOrThrow();
  await confirmAddress(db, id);
  await open(page, "people/import");
  await setAside.press("Enter");
  await expect(page.getByRole("dialog", { name: "Set 1 person aside?" })).toBeVisible();
  await expect(page.getByLabel("Also set aside 1 who confirmed their address")).not.toBeChecked();
  await button(page, "Set aside").press("Enter");
  await expect(page.getByText("Set 1 person aside.")).toBeVisible();
  await page.getByRole("link", { name: "1 person" }).click();
  await expect(page.getByRole("link", { name: "ada@example.com" })).toBeVisible();
  await expect(button(page, "Import: Trade fair")).toBeVisible();
});

test("a file that is too large or has no addresses is refused, with the reason", async ({ page }) => {
  await page.getByLabel("Where they gave you").fill("Trade fair");
  const refusals: [Buffer, RegExp][] = [
    [Buffer.alloc(2_000_001, "a"), /^This file is too large/],
    [Buffer.from("Name\nAda"), /no column named email/],
  ];
  for (const [content, reason] of refusals) {
    await page.getByLabel("CSV file").setInputFiles(fileOf([], content));
    await button(page, "Preview").press("Enter");
    await expect(page.getByRole("alert")).toHaveText(reason);
  }
});

test.describe("read-only", () => {
  test.use({ isReadOnly: true, isEmpty: false });

  test("a console that may not change people offers no import", async ({ page }) => {
    await open(page, "people/import");
    await expect(page.getByRole("heading", { name: "People" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Import…" })).toHaveCount(0);
    await expect(page.getByLabel("CSV file")).toHaveCount(0);
  });
});
