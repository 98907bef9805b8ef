import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MailConfig } from "#core/config/config.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { configureMail, startAdasConsole } from "#tests/support/console-parts.ts";
import { expectedExport } from "#tests/support/expected-export.ts";
import { type ScratchSmtp, startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { seed } from "#tools/dev/seed/seed.ts";
import type { Engine } from "./engine.ts";
import { openFirefox } from "./firefox.ts";
import { openWebKit } from "./webkit.ts";

let postgres: Postgres;
let db: Database;
let smtp: ScratchSmtp;
let mail: MailConfig;
beforeAll(async () => {
  postgres = await startScratchPostgres();
  db = connect(postgres.url);
  await migrateAll(db);
  await seed(db, 500, new Date());
  smtp = await startScratchSmtp();
  mail = configureMail(smtp.url, postgres.url);
});
afterAll(async () => {
  await smtp.stop();
  await db.destroy();
  await postgres.stop();
});

const textOf = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.textContent`;
const button = (name: string) => `//button[.="${name}" and not(@disabled)]`;
const field = (label: string) => `//label[span="${label}"]/*[self::input or self::select]`;
const FILTER = "//button[normalize-space()='Filter']";
const FIRST_ROW = "tbody tr:first-child th";

describe.each([
  ["Firefox", openFirefox],
  ["WebKit", openWebKit],
])("the console in %s", (_name, open) => {
  let console: Awaited<ReturnType<typeof startAdasConsole>>;
  let engine: Engine;
  beforeAll(async () => {
    smtp.mails.splice(0);
    console = await startAdasConsole(db, { mail });
    engine = await open();
    await engine.open(console.url);
  });
  afterAll(async () => {
    await engine.close();
    await console.stop();
  });

  const eventually = (expression: string) => expect.poll(() => engine.evaluate(expression), { timeout: 15_000 });

  test("opens with the link's token and removes it from the address bar", async () => {
    await eventually(textOf("h1")).toBe("Overview");
    await eventually("location.hash").toBe("");
  });

  test("finds a person by their address, opens them and erases them", async () => {
    const newest = db.selectFrom("sign_ups").select(["id", "email"]).orderBy("id", "desc");
    const { id, email } = await newest.executeTakeFirstOrThrow();
    await engine.click("nav a[href='/people']");
    await eventually(textOf("h1")).toBe("People");
    await engine.type("input[type=search]", email);
    // Waits for the URL first, because the newest person is the first row before the search too.
    await eventually("location.search").toContain("search=");
    await eventually(textOf(FIRST_ROW)).toBe(email);
    await engine.click(".row-link");
    await eventually("location.pathname").toBe(`/people/${id}`);
    await eventually(textOf("dialog.panel")).toContain(email);

    await engine.click(button("Erase…"));
    await engine.type("dialog.confirm input", `${email}x`);
    await eventually("document.querySelector('dialog.confirm .primary').disabled").toBe("true");
    await engine.type("dialog.confirm input", email);
    await engine.click(button("Erase everything"));
    await eventually(textOf("main")).toContain("Nobody matches");
    expect(await newest.where("id", "=", id).execute()).toEqual([]);
  });

  test("previews an invitation to a campaign's next people, and sends a test of it", async () => {
    await engine.click("nav a[href='/messages']");
    await engine.click("a[href='/messages/new?kind=invitation']");
    await engine.type(field("Subject"), "Your turn, {{firstName}}");
    await engine.type(field("How many people, next in line"), "20");
    await engine.click(FILTER);
    await engine.click("//summary[.='Campaign']");
    await engine.click("//label[bdi='launch']/input");
    // Closes WebKit's menu, because it covers the button.
    await engine.click("//h1");
    await engine.choose(field("Send"), "day");
    await engine.type(field("Emails per day"), "345600");
    await eventually(textOf(".split")).toContain("Get the email20");
    await eventually(textOf(".envelope")).toContain("Your turn, Ada");
    await expect.poll(() => engine.textInFrame("iframe")).toContain("Accept invitation");

    await engine.click(button("Send a test…"));
    await engine.type("dialog.confirm input", "me@example.com");
    await engine.click(button("Send test"));
    await eventually(textOf("dialog.confirm")).toContain("It should be in your inbox soon.");
    const [mail] = smtp.mails;
    expect([mail?.to?.[0]?.address, mail?.subject]).toEqual(["me@example.com", "[Test] Your turn, Ada"]);
    await engine.click(button("Cancel"));
  });

  test("exports invited people to the same bytes as the command line does", async () => {
    await engine.click("nav a[href='/export']");
    await engine.click(FILTER);
    await engine.click("//summary[.='Invited']");
    await engine.click("//details//button[.='Invited']");
    await eventually("location.search").toBe("?invited=yes");
    await engine.click(FILTER);
    await engine.click(button("Export"));
    await eventually(textOf(".exports .status")).toBe("Done");
    const saved = async () => {
      const name = (await readdir(engine.downloads)).find((file) => file.endsWith(".csv"));
      return name && readFile(join(engine.downloads, name), "utf8");
    };
    await expect.poll(saved).toBe(await expectedExport(db, { invited: true }, "csv", true));
  });
});
