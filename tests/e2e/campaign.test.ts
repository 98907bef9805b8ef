import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, openReadyToSubmit, submit } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("the UTM campaign in the page's URL is stored with the sign-up but not sent in its body", async ({ page, db }) => {
  const ada = aSignUp();
  await openReadyToSubmit(page, "/?utm_source=linkedin&utm_campaign=launch");
  await fillIn(page, ada);
  const sent = page.waitForRequest(`**${WAITLIST_PATH}`);
  await submit(page);
  await expect(page.getByRole("heading", { name: "Successfully Joined!" })).toBeVisible();
  const row = await db.selectFrom("sign_ups").select("utm").where("email", "=", ada.email).executeTakeFirst();
  expect(row?.utm).toEqual({ source: "linkedin", campaign: "launch" });
  expect((await sent).postDataJSON()).toEqual(ada);
});
