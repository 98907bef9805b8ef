import { dark } from "#brand/tokens.ts";
import { computedColor } from "#tests/support/screen.ts";
import { openFilledIn, openFullyLoaded, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("the page logs nothing, violates no CSP, and leaves WebGL to the worker", async ({ page }) => {
  // The browser logs every CSP violation.
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  // Reports any WebGL context of the page, because creating one can block the main thread for half a second.
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = (kind: string) => {
      console.error(`The page creates a ${kind} context`);
      return null;
    };
  });
  await openFullyLoaded(page, "/");
  await expect(page.locator(".backdrop[data-quality]")).toBeAttached();
  await openFilledIn(page);
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await page.keyboard.press("F8");
  expect(messages).toEqual([]);
  await openFullyLoaded(page, "/nothing");
  expect(messages).toEqual([expect.stringContaining("404")]);
});

test("the policy allows the page's own style and no other, not even by a changed byte", async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.goto("/");
  expect(await ground()).toBe(computedColor(dark.ground));
  const violations: string[] = [];
  page.on("console", (message) => violations.push(message.text()));
  await page.route("/", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace("</style>", " </style>") });
  });
  await page.goto("/");
  expect(await ground()).toBe("rgba(0, 0, 0, 0)");
  expect(violations).toContainEqual(expect.stringMatching(/inline style/));
});
