import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, field, fillIn, openReadyToSubmit, submit } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("a retry keeps its idempotency key until the form's content changes", async ({ page }) => {
  const keys: (string | undefined)[] = [];
  await page.route(`**${WAITLIST_PATH}`, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    await route.fulfill({ status: 500 });
  });
  const attempt = async () => {
    const response = page.waitForResponse(`**${WAITLIST_PATH}`);
    await submit(page);
    await response;
    await expect(button(page)).toBeEnabled();
  };

  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await attempt();
  await attempt();
  await field(page, "Company").fill("Acme");
  await attempt();
  await attempt();
  await page.getByRole("checkbox").check();
  await attempt();

  const [first, second, third, fourth, fifth] = keys;
  expect(second).toBe(first);
  expect(fourth).toBe(third);
  expect(new Set([first, third, fifth]).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});
