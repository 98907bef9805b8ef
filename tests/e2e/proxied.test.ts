import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, openReadyToSubmit, submit } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.use({ isProxied: true });

test("a visitor joins through nginx and HAProxy", async ({ page, db }) => {
  const ada = aSignUp();
  await openReadyToSubmit(page);
  expect(page.url()).toMatch(/^https:/);
  await fillIn(page, ada);
  await submit(page);
  await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeVisible();
  expect(await db.selectFrom("sign_ups").select("id").where("email", "=", ada.email).execute()).toHaveLength(1);
});
