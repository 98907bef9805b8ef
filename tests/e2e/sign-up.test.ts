import type { Page } from "@playwright/test";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { ALREADY_JOINED } from "#contract/sign-up.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { expect, test } from "./fixtures.ts";

async function fillIn(page: Page, person: { firstName: string; lastName: string; email: string; company: string }) {
  await page.getByLabel("First name").fill(person.firstName);
  await page.getByLabel("Last name").fill(person.lastName);
  await page.getByLabel("Email", { exact: true }).fill(person.email);
  await page.getByLabel("Company").fill(person.company);
}

const submit = (page: Page) => page.getByRole("button", { name: "Join the Waitlist" }).click();
const stat = (page: Page, name: string) => page.getByText(name, { exact: true }).locator("xpath=following-sibling::dd");

test("a sign-up by the form is a row in PostgreSQL, and the stats on the page go up", async ({ page, db }) => {
  const before = (await page.request.get(STATS_PATH).then((answer) => answer.json())).data;
  const ada = aSignUp({ company: "Analytical Engines Ltd" });
  await page.goto("/");
  await expect(stat(page, "Total users")).toHaveText(String(before.totalUsers));
  await fillIn(page, ada);
  await submit(page);

  await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeVisible();
  await expect(stat(page, "Total users")).toHaveText(String(before.totalUsers + 1));
  await expect(stat(page, "Companies interested")).toHaveText(String(before.companiesInterested + 1));
  const row = await db.selectFrom("sign_ups").selectAll().where("email", "=", ada.email).executeTakeFirst();
  expect(row).toMatchObject({ first_name: "Ada", company: "Analytical Engines Ltd", newsletter: false });
});

test("the same address in capitals gets the duplicate's toast, and the form stays as it was", async ({ page }) => {
  const ada = aSignUp();
  await page.request.post(WAITLIST_PATH, { data: ada });
  await page.goto("/");
  await fillIn(page, { ...ada, email: ada.email.toUpperCase() });
  const [answer] = await Promise.all([page.waitForResponse(`**${WAITLIST_PATH}`), submit(page)]);

  expect(answer.status()).toBe(409);
  expect(await answer.text()).toContain(ALREADY_JOINED);
  await expect(page.getByText("This email is already on our waitlist.", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(ada.email.toUpperCase());
});

test("empty fields are named under the form's own fields, and nothing is sent", async ({ page }) => {
  await page.goto("/");
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await submit(page);
  for (const message of ["First name is required", "Last name is required", "Please enter a valid email address"]) {
    await expect(page.getByText(message)).toBeVisible();
  }
  expect(sent).toEqual([]);
});

test("fifty identical sign-ups over HTTP at the same time: one joins, and the totals go up by one", async ({
  site,
  db,
}) => {
  const ada = aSignUp();
  const totals = () => db.selectFrom("totals").select("users").executeTakeFirstOrThrow();
  const before = await totals();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      fetch(site.origin + WAITLIST_PATH, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(ada),
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
  const rows = await db.selectFrom("sign_ups").select("id").where("email", "=", ada.email).execute();
  expect(rows).toHaveLength(1);
  expect(Number((await totals()).users)).toBe(Number(before.users) + 1);
});
