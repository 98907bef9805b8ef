/** `npm run bench -- screenshots`: screenshots of every state of the page at five widths, into results/shots/. */
import { mkdir } from "node:fs/promises";
import { type Browser, chromium, type Page } from "@playwright/test";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, submit } from "#tests/support/visitor.ts";
import { chromiumOptions, chromiumWithoutWebgl } from "#tools/chromium.ts";
import { startSite } from "#tools/dev/running-site.ts";

const SIZES = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];
const FOLDER = "results/shots";

interface Shot {
  path?: string;
  /** Brings the open page into the state to be shown. */
  reach?: (page: Page) => Promise<unknown>;
  fullPage?: boolean;
  withoutWebGl?: boolean;
  reducedMotion?: boolean;
}

const toWaitlist = (page: Page) =>
  page
    .locator("#waitlist form, #waitlist h3")
    .first()
    .evaluate((one) => one.scrollIntoView({ block: "center", behavior: "instant" }));

const fillInForm = (page: Page) => fillIn(page, aSignUp({ company: "Analytical Engines" }));

async function submitAndSee(page: Page): Promise<void> {
  // The form rejects submissions in the page's first three seconds.
  await page.waitForTimeout(3000);
  await submit(page);
  await page.waitForTimeout(700);
  await toWaitlist(page);
}

const SHOTS: Record<string, Shot> = {
  loading: {
    reach: (page) =>
      page
        .locator(".hero-item")
        .first()
        .evaluate((one) => one.getAnimations().map((a) => a.pause())),
  },
  hero: { reach: (page) => page.waitForTimeout(4500) },
  "whole-page": { fullPage: true, reducedMotion: true },
  features: { reach: (page) => see(page, "#features ul") },
  about: { reach: (page) => see(page, "#about") },
  waitlist: { reach: (page) => see(page, "#waitlist") },
  footer: { reach: (page) => see(page, "footer") },
  errors: { reach: submitAndSee },
  submitting: {
    reach: async (page) => {
      await page.route(`**${WAITLIST_PATH}`, () => {});
      await fillInForm(page);
      await submitAndSee(page);
    },
  },
  joined: {
    reach: async (page) => {
      await fillInForm(page);
      await submitAndSee(page);
    },
  },
  toast: {
    reach: async (page) => {
      await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status: 500 }));
      await fillInForm(page);
      await submitAndSee(page);
    },
  },
  menu: {
    reach: async (page) => {
      await page.waitForTimeout(2500);
      const toggle = page.locator("button[popovertarget]");
      if (await toggle.isVisible()) await toggle.click();
      await page.waitForTimeout(300);
    },
  },
  "fallback-backdrop": { withoutWebGl: true, reach: (page) => page.waitForTimeout(3500) },
  "reduced-motion": { reducedMotion: true, reach: (page) => page.waitForTimeout(1500) },
  "not-found": { path: "/nothing-here", reach: (page) => page.waitForTimeout(2500) },
};

async function see(page: Page, selector: string): Promise<void> {
  await page.locator(selector).evaluate((one) => one.scrollIntoView({ block: "center", behavior: "instant" }));
  await page.waitForTimeout(2500);
}

async function take(browser: Browser, origin: string, name: string, shot: Shot): Promise<void> {
  for (const viewport of SIZES) {
    const page = await browser.newPage({ viewport, reducedMotion: shot.reducedMotion ? "reduce" : "no-preference" });
    await page.goto(origin + (shot.path ?? "/"));
    await shot.reach?.(page);
    await page.screenshot({ path: `${FOLDER}/${name}-${viewport.width}.png`, fullPage: shot.fullPage ?? false });
    await page.close();
  }
  console.log(name);
}

await mkdir(FOLDER, { recursive: true });
const site = await startSite();
const browser = await chromium.launch(chromiumOptions);
const plainBrowser = await chromium.launch(chromiumWithoutWebgl);
for (const [name, shot] of Object.entries(SHOTS)) {
  await take(shot.withoutWebGl ? plainBrowser : browser, site.origin, name, shot);
}
await browser.close();
await plainBrowser.close();
await site.stop();
console.log(`Screenshots are in ${FOLDER}/`);
