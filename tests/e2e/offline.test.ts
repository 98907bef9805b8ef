import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { button, field, fillIn, openReadyToSubmit, recordCalls, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

async function expectFailure(page: Page, email: string, timeout = 15_000): Promise<void> {
  await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.", { timeout });
  await expect(toast(page)).toHaveAttribute("data-variant", "destructive");
  await expect(button(page)).toBeEnabled();
  await expect(button(page)).toHaveText("Join the Waitlist");
  await expect(field(page, "Email")).toHaveValue(email);
  await expect(page.getByRole("checkbox")).toBeChecked();
}

test("a form submitted offline shows the error toast, and nothing is sent once the visitor is online again", async ({
  page,
  context,
}) => {
  const ada = aSignUp({ newsletter: true });
  await openReadyToSubmit(page);
  await expect(page.locator(".toast-viewport")).toBeAttached();
  await fillIn(page, ada);
  await context.setOffline(true);
  await submit(page);
  await expectFailure(page, ada.email);

  const calls = recordCalls(page);
  await context.setOffline(false);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.clock.fastForward("01:00");
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  expect(calls).toEqual([]);
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
});

const SILENT_SERVERS: Record<string, RequestListener> = {
  "no response": () => {},
  "a response that never ends": (_request, response) => {
    response.writeHead(201, { "content-type": "application/json" });
    response.write('{"data":');
  },
};

for (const [name, listener] of Object.entries(SILENT_SERVERS)) {
  test(`${name} within 15 s shows the error toast and gives the form back`, async ({ page }) => {
    const ada = aSignUp({ newsletter: true });
    const server = createServer(listener);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    await page.route(`**${WAITLIST_PATH}`, (route) => route.continue({ url: `http://127.0.0.1:${port}/` }));
    await openReadyToSubmit(page);
    await fillIn(page, ada);
    await submit(page);
    // Real time, because Playwright's clock doesn't reach AbortSignal.timeout.
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    await expect(button(page)).toHaveText("Joining...");
    await expectFailure(page, ada.email, 10_000);
    server.closeAllConnections();
    server.close();
  });
}
