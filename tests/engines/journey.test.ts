import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { readTotals } from "#core/waitlist/totals.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { type RunningSite, startSite } from "#tools/dev/running-site.ts";
import type { Engine } from "./engine.ts";
import { openFirefox } from "./firefox.ts";
import { openReportingFront, type ReportingFront } from "./reporting-front.ts";
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
const BACKDROP = "document.querySelector('.backdrop[data-pace], .backdrop-circle') ? 'drawn' : ''";
const FORBIDDEN_PICTURE = "https://elsewhere.example/pixel.png";

describe.each([
  ["Firefox", openFirefox],
  ["WebKit", openWebKit],
])("in %s", (_name, open) => {
  let front: ReportingFront;
  let engine: Engine;
  beforeAll(async () => {
    front = await openReportingFront(site.origin);
    engine = await open();
    await engine.open(front.origin);
  }, 60_000);
  afterAll(async () => {
    await engine.close();
    front.stop();
  });

  const eventually = (expression: string) => expect.poll(() => engine.evaluate(expression), { timeout: 15_000 });

  /** Reports come late. Once that of a violation made on purpose is there, any before it would be there too. */
  const expectNoViolation = async () => {
    await engine.evaluate(`new Image().src = "${FORBIDDEN_PICTURE}"`);
    await expect.poll(() => front.reports.join(), { timeout: 15_000 }).toContain(FORBIDDEN_PICTURE);
    expect(front.reports.splice(0)).toEqual([expect.stringContaining(FORBIDDEN_PICTURE)]);
  };

  test("the page is there, with its backdrop in one of its two modes", async () => {
    await eventually(TEXT("h1")).toContain("Digital Future");
    await eventually(BACKDROP).toBe("drawn");
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
    await eventually(TEXT("#waitlist dd")).toBe(String((await readTotals(db.pool)).totalUsers));
    await eventually(TEXT(".toast")).toContain("Successfully joined the waitlist!");
  });

  test("of all that, not one violation of the policy was reported", expectNoViolation);

  test("the not-found page is there too, with its backdrop", async () => {
    await engine.open(`${front.origin}/nothing-here`);
    await eventually(TEXT("h1")).toBe("404 Page Not Found");
    await eventually(BACKDROP).toBe("drawn");
  });

  test("nor was one reported of the not-found page", expectNoViolation);
});
