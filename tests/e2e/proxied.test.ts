import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, joinedTitle, openReadyToSubmit, submit } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.use({ isProxied: true });

test("a visitor of a UTM campaign joins through nginx", async ({ page, db }) => {
  const ada = aSignUp();
  await openReadyToSubmit(page, "/?utm_source=linkedin&utm_campaign=launch");
  expect(page.url()).toMatch(/^https:/);
  await fillIn(page, ada);
  const sent = page.waitForRequest(`**${WAITLIST_PATH}`);
  await submit(page);
  await expect(joinedTitle(page)).toBeVisible();
  const rows = await db.selectFrom("sign_ups").select("utm").where("email", "=", ada.email).execute();
  expect(rows).toEqual([{ utm: { source: "linkedin", campaign: "launch" } }]);
  expect((await sent).postDataJSON()).toEqual(ada);
});
