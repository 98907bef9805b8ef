import { expect, type Locator, type Page } from "@playwright/test";
import { dark, mail } from "#brand/tokens.ts";
import { createMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { button, open } from "#tests/support/console.ts";
import { test } from "#tests/support/console-mail.ts";
import { NEWS } from "#tests/support/messages.ts";
import { nextInLine } from "#tests/support/people.ts";
import { computedColor } from "#tests/support/screen.ts";

async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 150; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab doesn't reach it");
}

async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

const frame = (page: Page) => page.frameLocator("iframe");

test("a marketer invites a campaign's next people, by keyboard alone", async ({ page, db, smtp, startWorker }) => {
  test.slow();
  const next = await nextInLine(db, "launch", 40);
  await pressOn(page, page.getByRole("link", { name: "Messages" }));
  await expect(page.getByText("No messages yet.")).toBeVisible();
  await pressOn(page, page.getByRole("link", { name: "New invitation" }));
  await expect(frame(page).getByRole("link", { name: "Accept invitation" })).toBeVisible();

  await typeInto(page, page.getByLabel("Subject"), "Your turn, {{firstName}}");
  await expect(page.getByText("Your turn, Ada")).toBeVisible();
  await typeInto(page, page.getByLabel("How many people"), "40");
  await pressOn(page, button(page, "Filter"));
  await pressOn(page, page.locator("summary", { hasText: "Campaign" }));
  await typeInto(page, page.getByRole("textbox", { name: "Campaign" }), "launch");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await tabTo(page, page.getByRole("group", { name: "Pace" }).getByRole("combobox"));
  await page.keyboard.press("ArrowDown");
  await typeInto(page, page.getByLabel("Emails per hour"), "72000");
  await expect(page.locator(".split")).toContainText("Get the email40");
  await expect(page.locator(".split")).toContainText("over the limit");

  await pressOn(page, button(page, "Send a test…"));
  await page.keyboard.type("me@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByText("It should be in your inbox soon.")).toBeVisible();
  expect(smtp.mails).toMatchObject([{ subject: "[Test] Your turn, Ada", to: [{ address: "me@example.com" }] }]);
  await page.keyboard.press("Escape");

  await pressOn(page, button(page, "Review and send…"));
  await expect(page.getByText("At most 72,000 per hour, about 1 minute in all.")).toBeVisible();
  await pressOn(page, button(page, "Invite 40 people"));
  await expect(page.getByText("of 40 sent")).toBeVisible();
  await pressOn(page, button(page, "Pause"));
  await startWorker();
  await pressOn(page, button(page, "Resume"));
  await expect(page.getByText("40 of 40 sent")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("Sent", { exact: true }).first()).toBeVisible();
  const addresses = smtp.mails.slice(1).map(({ to }) => to?.[0]?.address);
  expect(addresses.sort()).toEqual(next.sort());

  await pressOn(page, page.getByRole("link", { name: /^People in wave/ }));
  await expect(page).toHaveURL(/people\?wave=\d+$/);
  await pressOn(page, page.getByRole("link", { name: "Waves" }));
  await expect(page.getByRole("row").nth(1)).toContainText("40400 0%");
});

test("the preview shows the mail in light, dark, on a phone and as text, and each is a URL", async ({ page, db }) => {
  // HTML stays text, and a right-to-left override doesn't affect the rest of the page.
  const subject = "<img src=x> \u202etxt.exe";
  const { id } = await createMessage(db, OPERATOR, { ...NEWS, subject, body: "# Hello\n\nHi {{firstName}}" });
  const body = frame(page).locator("body");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await open(page, `messages/${id}?view=dark`);
    await expect(body).toHaveCSS("background-color", computedColor(dark.ground));
    await button(page, "Light").click();
    await expect(body).toHaveCSS("background-color", computedColor(mail.ground));
  }
  expect(await page.locator("h1 bdi").textContent()).toBe(subject);
  await button(page, "Phone").click();
  await expect(page).toHaveURL(/view=phone/);
  await expect(page.locator("iframe")).toHaveAccessibleName("The email");
  expect((await page.locator("iframe").boundingBox())?.width).toBeLessThanOrEqual(375);
  await button(page, "Text").click();
  await expect(page.getByRole("region", { name: "Text of the email" })).toContainText("Hi Ada");
  await page.getByLabel("Body, in Markdown").fill("Hi {{nickname}}, {{ firstName }}");
  await expect(page.getByRole("alert")).toContainText("Unknown placeholder {{nickname}}");
  await expect(page.getByRole("region", { name: "Text of the email" })).toContainText("Hi Ada");
  await page.getByLabel("Body, in Markdown").fill("![cat](https://example.com/x.png)");
  await expect(page.getByRole("alert")).toContainText("An email can't have images");
});
