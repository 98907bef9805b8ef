import puppeteer from "puppeteer-core";
import type { Engine } from "./engine.ts";

/** Debian's Firefox. Headless, it has no WebGL, so this also tests the backdrop's fallback. */
export async function openFirefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
  });
  const page = await browser.newPage();
  return {
    open: async (url) => void (await page.goto(url)),
    type: (selector, text) => page.type(selector, text),
    click: (selector) => page.click(selector),
    evaluate: async (expression) => String(await page.evaluate(expression)),
    close: () => browser.close(),
  };
}
