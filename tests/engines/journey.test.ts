import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningSite, startSite } from "#dev/running-site.ts";
import { connect, type Database } from "#server/database/connect.ts";
import { readTotals } from "#server/waitlist/totals.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
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

const TEXT = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.textContent`;

describe.each([
  ["Firefox", openFirefox],
  ["WebKit", openWebKit],
])("in %s", (_name, open) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open();
    await engine.open(site.origin);
  }, 60_000);
  afterAll(() => engine.close());

  const eventually = (expression: string) => expect.poll(() => engine.evaluate(expression), { timeout: 15_000 });

  test("the page is there, with its backdrop in one of its two modes", async () => {
    await eventually(TEXT("h1")).toContain("Digital Future");
    await eventually(
      "document.querySelector('.backdrop').dataset.pace || document.querySelector('.backdrop-circle') ? 'drawn' : ''",
    ).toBe("drawn");
  });

  test("empty fields are told so", async () => {
    await engine.click("form button[type=submit]");
    await eventually(TEXT("form")).toContain("First name is required");
    await eventually("document.activeElement.name").toBe("firstName");
  });

  test("a visitor joins, and is counted", async () => {
    const ada = aSignUp();
    await engine.type("input[name=firstName]", ada.firstName);
    await engine.type("input[name=lastName]", ada.lastName);
    await engine.type("input[name=email]", ada.email);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await engine.click("form button[type=submit]");
    await eventually(TEXT("#waitlist h3")).toBe("Successfully Joined!");
    await eventually(TEXT("#waitlist dd")).toBe(String((await readTotals(db)).totalUsers));
    await eventually(TEXT(".toast")).toContain("Successfully joined the waitlist!");
  });

  test("the not-found page is there too", async () => {
    await engine.open(`${site.origin}/nothing-here`);
    await eventually(TEXT("h1")).toBe("404 Page Not Found");
  });
});
