import type { Page } from "@playwright/test";
import * as content from "#brand/content.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  button,
  field,
  fillIn,
  HYDRATION_SCRIPT,
  holdRequests,
  joinedTitle,
  openReadyToSubmit,
  stat,
  submit,
  toast,
} from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

/** Replaces every text node, now and whenever one appears or changes, as the browser's translation does. */
async function translate(page: Page): Promise<void> {
  await page.locator("body").evaluate((body) => {
    function replaceTexts(): void {
      const texts: Text[] = [];
      const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (!text.data.trim() || text.parentElement?.matches("font, script")) continue;
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.append(text.data);
        outer.append(inner);
        text.replaceWith(outer);
      }
    }
    replaceTexts();
    new MutationObserver(replaceTexts).observe(body, { subtree: true, childList: true, characterData: true });
  });
}

for (const translated of ["after", "before"]) {
  test(`on a page translated ${translated} hydration, every control works`, async ({ page }) => {
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    const HYDRATION_MISMATCH = /React error #418/;
    await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status: 500 }), { times: 1 });
    await page.setViewportSize({ width: 360, height: 740 });
    if (translated === "before") {
      const release = await holdRequests(page, HYDRATION_SCRIPT);
      await page.clock.install();
      await page.goto("/");
      await translate(page);
      await field(page, "Company").fill("Acme");
      const hydrated = page.waitForResponse(`**${STATS_PATH}`);
      release();
      await hydrated;
      await expect(field(page, "Company")).toHaveValue("Acme");
      await page.clock.fastForward(3000);
    } else {
      await openReadyToSubmit(page);
      await translate(page);
    }

    await page.getByRole("button", { name: content.openMenu }).click();
    await expect(page.getByRole("button", { name: content.closeMenu })).toBeVisible();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About" }).click();
    await expect(page.getByRole("button", { name: content.openMenu })).toBeVisible();

    for (const name of [content.pauseMotion, content.resumeMotion, content.pauseMotion]) {
      await page.getByRole("button", { name, exact: true }).click();
    }
    for (const name of ["Pricing", "Careers"]) {
      await page.getByRole("link", { name }).click();
      await expect(toast(page)).toContainText(`${content.upcoming} ${name}`);
    }
    await page.getByRole("button", { name: "Dismiss" }).click();
    await expect(toast(page)).toHaveCount(0);
    await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
    await expect(page.locator("#terms")).toBeInViewport();

    await submit(page);
    await expect(page.getByText("First name is required")).toBeVisible();
    await fillIn(page, aSignUp({ newsletter: true }));
    await expect(page.getByText("First name is required")).toHaveCount(0);

    const hint = page.locator("#waitlist form [role=status]");
    await field(page, "Email").fill("ada@gmial.com");
    await expect(hint).toHaveText("Did you mean ada@gmail.com?");
    await field(page, "Email").fill("ada@hotmial.com");
    await expect(hint).toHaveText("Did you mean ada@hotmail.com?");
    await page.getByRole("button", { name: "ada@hotmail.com" }).click();
    await expect(hint).toBeEmpty();
    await expect(field(page, "Email")).toHaveValue("ada@hotmail.com");

    await field(page, "Email").fill(aSignUp().email.replace(/@.*/, "@gmial.com"));
    await expect(hint).toContainText("@gmail.com");
    await submit(page);
    await expect(toast(page)).toContainText("Failed to join waitlist. Please try again.");
    await expect(button(page)).toHaveText(content.join);

    const totalUsers = Number((await stat(page, "totalUsers").textContent())?.replace(",", ""));
    await field(page, "Email").press("Enter");
    await expect(joinedTitle(page)).toBeVisible();
    await expect(toast(page)).toContainText(content.joinedToast);
    await expect(stat(page, "totalUsers")).toHaveText((totalUsers + 1).toLocaleString("en"));
    expect(errors.filter(({ message }) => !HYDRATION_MISMATCH.test(message))).toEqual([]);
  });
}
