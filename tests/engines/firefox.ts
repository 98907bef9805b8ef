import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { HOSTS } from "#tests/support/team/two-sites.ts";
import { APPEARS_MS, type Engine } from "./engine.ts";

/** Debian's Firefox. Headless, it has no WebGL, so this also tests the backdrop's fallback. */
export async function openFirefox(): Promise<Engine> {
  const downloads = await mkdtemp(join(tmpdir(), "farwatch-firefox-"));
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    // The console and provider of a team have names that only tests resolve, and a self-signed certificate.
    acceptInsecureCerts: true,
    extraPrefsFirefox: {
      "browser.download.folderList": 2,
      "browser.download.dir": downloads,
      "network.dns.localDomains": HOSTS.join(),
    },
  });
  const page = await browser.newPage();
  const find = async (selector: string) => {
    const query = selector.startsWith("//") ? `xpath/${selector}` : selector;
    const found = await page.waitForSelector(query, { timeout: APPEARS_MS });
    if (!found) throw new Error(`No ${selector}`);
    return found;
  };
  return {
    open: async (url) => void (await page.goto(url)),
    async type(selector, text) {
      await (await find(selector)).focus();
      await page.keyboard.down("Control");
      await page.keyboard.press("a");
      await page.keyboard.up("Control");
      await page.keyboard.type(text);
    },
    click: async (selector) => (await find(selector)).click(),
    evaluate: async (expression) => String(await page.evaluate(expression)),
    async textInFrame(selector) {
      const frame = await (await find(selector)).contentFrame();
      return String(await frame?.evaluate("document.body.textContent"));
    },
    downloads,
    async close() {
      await browser.close();
      await rm(downloads, { recursive: true });
    },
  };
}
