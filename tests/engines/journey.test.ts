import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as content from "#brand/content.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { readTotals } from "#core/people/totals.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { type RunningSite, startSite } from "#tools/dev/running-site.ts";
import { type CspReportProxy, startCspReportProxy } from "./csp-report-proxy.ts";
import type { Engine } from "./engine.ts";
import { openFirefox } from "./firefox.ts";
import { openWebKit } from "./webkit.ts";

let site: RunningSite;
let db: Database;
beforeAll(async () => {
  site = await startSite();
  db = connect(site.databaseUrl);
});
afterAll(async () => {
  await db.destroy();
  await site.stop();
});

const textOf = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.textContent`;
const BACKDROP = "document.querySelector('.backdrop[data-quality], .backdrop-circle') ? 'drawn' : ''";
const BLOCKED_IMAGE = "https://elsewhere.example/pixel.png";

describe.each([
  ["Firefox", openFirefox],
  ["WebKit", openWebKit],
])("in %s", (_name, open) => {
  let proxy: CspReportProxy;
  let engine: Engine;
  beforeAll(async () => {
    proxy = await startCspReportProxy(site.origin);
    engine = await open();
    await engine.open(proxy.origin);
  });
  afterAll(async () => {
    await engine.close();
    proxy.stop();
  });

  const eventually = (expression: string) => expect.poll(() => engine.evaluate(expression), { timeout: 15_000 });

  test("loads the landing page with its backdrop, in WebGL or as the gradient", async () => {
    await eventually(textOf("h1")).toContain(content.headline[1]);
    await eventually(BACKDROP).toBe("drawn");
  });

  test("shows an error for an empty first name and focuses the field", async () => {
    await engine.click("form button[type=submit]");
    await eventually(textOf("form")).toContain("First name is required");
    await eventually("document.activeElement.name").toBe("firstName");
  });

  test("lets a visitor join and shows the new total", async () => {
    const ada = aSignUp();
    await engine.type("input[name=firstName]", ada.firstName);
    await engine.type("input[name=lastName]", ada.lastName);
    await engine.type("input[name=email]", ada.email);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await engine.click("form button[type=submit]");
    await eventually(textOf("#waitlist h3")).toBe(content.joinedTitle);
    await eventually(textOf("#waitlist dd")).toBe(String((await readTotals(db.pool)).totalUsers));
    await eventually(textOf(".toast")).toContain(content.joinedToast);
  });

  // Reports arrive late, but the report of a deliberate violation arrives after all earlier ones.
  test("reports no CSP violation while joining", async () => {
    await engine.evaluate(`new Image().src = "${BLOCKED_IMAGE}"`);
    await expect.poll(() => proxy.reports.join(), { timeout: 15_000 }).toContain(BLOCKED_IMAGE);
    expect(proxy.reports).toEqual([expect.stringContaining(BLOCKED_IMAGE)]);
  });

  test("shows the success card after the browser posted the form itself, but not at /#joined typed by hand", async () => {
    const ada = aSignUp();
    await engine.open(`${proxy.origin}/?native`);
    await engine.type("input[name=firstName]", ada.firstName);
    await engine.type("input[name=lastName]", ada.lastName);
    await engine.type("input[name=email]", ada.email);
    await engine.evaluate("document.querySelector('form').submit()");
    await eventually("location.pathname + location.search + location.hash").toBe("/#waitlist");
    await eventually(textOf("#waitlist h3")).toBe(content.joinedTitle);

    // The query forces a page load; changing only the fragment wouldn't.
    await engine.open(`${proxy.origin}/?typed#joined`);
    await eventually(BACKDROP).toBe("drawn");
    await eventually(textOf("form button")).toBe(content.join);
  });
});
