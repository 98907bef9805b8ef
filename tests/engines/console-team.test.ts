import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { setRole } from "#core/operators/team-roles.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expectedExport } from "#tests/support/expected-export.ts";
import { HOSTS, startTwoSites, type TwoSites } from "#tests/support/team/two-sites.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { seed } from "#tools/dev/seed/seed.ts";
import type { Engine } from "./engine.ts";
import { openFirefox } from "./firefox.ts";
import { openWebKit } from "./webkit.ts";

let postgres: Postgres;
let db: Database;
let team: TwoSites;
beforeAll(async () => {
  postgres = await startScratchPostgres();
  db = connect(postgres.url);
  await migrateAll(db);
  await seed(db, 50, new Date());
  await setRole(db, OPERATOR, "ada@company.test", "admin");
  team = await startTwoSites(postgres.url);
  await team.startProvider();
});
afterAll(async () => {
  await team.stop();
  await db.destroy();
  await postgres.stop();
});

describe.each([
  ["Firefox", openFirefox],
  ["WebKit", () => openWebKit({ isOnTestHosts: true })],
])("the team's console in %s", (name, open) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine.close());

  const eventually = (expression: string) =>
    expect.poll(() => engine.evaluate(expression).catch(String), { timeout: 15_000 });
  const title = () => eventually("document.querySelector('h1')?.textContent");
  // WebKit's driver hangs if it looks for an element while the page changes to another site.
  const untilAtProvider = () => eventually("location.hostname").toBe(HOSTS[1]);

  test("signs in, returns to the bookmark, changes a person, previews a message, exports, and signs out", {
    timeout: 90_000,
  }, async () => {
    await engine.open(`${team.origin}/people/12`);
    await engine.click("//a[starts-with(., 'Continue with')]");
    await untilAtProvider();
    await engine.type("input[name=login]", "ada");
    await engine.type("input[name=password]", "any");
    await engine.click("button[type=submit]");
    await engine.click("//button[.='Continue']");
    await title().toBe("People");
    expect(await engine.evaluate("location.pathname")).toBe("/people/12");

    await engine.click("//button[.='Edit…']");
    await engine.type("dialog.confirm input", name);
    await engine.click("//button[.='Save']");
    await eventually("document.querySelector('dialog.confirm')").toBe("null");
    const { rows } = await db.pool.query("select first_name from sign_ups where id = 12");
    expect(rows).toEqual([{ first_name: name }]);

    await engine.click("nav a[href='/messages']");
    await engine.click("a[href='/messages/new?kind=announcement']");
    await engine.type("textarea", "Hi {{firstName}}");
    await expect.poll(() => engine.textInFrame("iframe"), { timeout: 15_000 }).toContain("Hi Ada");

    await engine.click("nav a[href='/export']");
    await engine.click("//button[.='Export' and not(@disabled)]");
    const saved = async () => {
      const name = (await readdir(engine.downloads)).find((file) => file.endsWith(".csv"));
      return name && readFile(join(engine.downloads, name), "utf8");
    };
    await expect.poll(saved).toBe(await expectedExport(db, {}, "csv", true));

    await engine.click("button.account");
    await engine.click("//button[.='Sign out']");
    await untilAtProvider();
    await engine.click("//button[contains(., 'Yes')]");
    await title().toBe("You're signed out");
    // The provider has ended its session too.
    await engine.click("//a[.='Sign in again']");
    await untilAtProvider();
    await engine.type("input[name=login]", "ada");
  });
});
