import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningConsole, startConsole } from "#console/start.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { createKeys } from "#core/keys.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { seed } from "#tools/dev/seed/seed.ts";
import { migrateAll } from "#worker/migrate.ts";
import type { Engine } from "./engine.ts";
import { openFirefox } from "./firefox.ts";
import { openWebKit } from "./webkit.ts";

let postgres: Postgres;
let db: Database;
beforeAll(async () => {
  postgres = await startScratchPostgres();
  db = connect(postgres.url);
  await migrateAll(db);
  await seed(db, 500, new Date());
}, 60_000);
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

const textOf = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.textContent`;
const FIRST_ROW = "tbody tr:first-child th";

describe.each([
  ["Firefox", openFirefox],
  ["WebKit", openWebKit],
])("the console in %s", (_name, open) => {
  let console: RunningConsole;
  let engine: Engine;
  beforeAll(async () => {
    const keys = createKeys("the secret of a console under test");
    console = await startConsole({
      db,
      port: 0,
      keys,
      actor: OPERATOR,
      isReadOnly: false,
      mail: undefined,
      invitations: undefined,
    });
    engine = await open();
    await engine.open(console.url);
  }, 60_000);
  afterAll(async () => {
    await engine.close();
    await console.stop();
  });

  const eventually = (expression: string) => expect.poll(() => engine.evaluate(expression), { timeout: 15_000 });

  test("opens with the link's token, which then is gone from the address", async () => {
    await eventually(textOf("h1")).toBe("Overview");
    await eventually("location.hash").toBe("");
  });

  test("finds a person by their address and opens them", async () => {
    const { email } = await db.selectFrom("sign_ups").select("email").where("id", "=", "77").executeTakeFirstOrThrow();
    await engine.click("nav a[href='/people']");
    await eventually(textOf("h1")).toBe("People");
    await engine.type("input[type=search]", email);
    await eventually(textOf(FIRST_ROW)).toBe(email);
    await engine.click(".row-link");
    await eventually("location.pathname").toBe("/people/77");
    await eventually(textOf("dialog.panel")).toContain(email);
  });

  test("filters, and keeps the filter in the URL", async () => {
    await engine.open(`${new URL(console.url).origin}/people?invited=yes`);
    await eventually(textOf("tbody tr:first-child .status")).toMatch(/Invited|Rejected/);
  });

  test("releases an entry from quarantine", async () => {
    await engine.click("nav a[href='/quarantine']");
    await eventually(textOf("h1")).toBe("Quarantine");
    const email = await engine.evaluate(textOf(FIRST_ROW));
    await engine.click("tbody tr:first-child input");
    await engine.click(".toolbar button");
    await eventually(textOf(".outcome")).toContain("Released 1 entry");
    await eventually(textOf(FIRST_ROW)).not.toBe(email);
  });
});
