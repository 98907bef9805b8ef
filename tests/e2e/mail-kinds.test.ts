import type { Page } from "@playwright/test";
import type { Email } from "postal-mime";
import { dark, mail as mailColors } from "#brand/tokens.ts";
import type { Database } from "#core/database/connect.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { untilAllSent } from "#tests/support/mail-site.ts";
import { computedColor } from "#tests/support/screen.ts";
import { expect, test } from "./mail-fixtures.ts";

const unsubscribeLinkOf = ({ headers }: Email) =>
  headers.find(({ key }) => key === "list-unsubscribe")?.value.slice(1, -1);
const linksOn = (page: Page) =>
  page.locator("a[href]").evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));

/** Leaves the current page first, because its CSP would block setContent(). */
async function show(page: Page, { html = "" }: Email): Promise<void> {
  await page.goto("about:blank");
  await page.setContent(html);
}

test("a link scanner that opens every link in an email changes nothing", async ({
  page,
  mailSite: { site, db, mails },
}) => {
  await untilAllSent(db);
  const before = await readTables(db);
  // Skips links to other sites, which can't change anything here, and fragments, which aren't sent.
  const ownLinks = async () =>
    (await linksOn(page)).flatMap((link) => (link.startsWith(site.origin) ? link.split("#", 1) : []));
  for (const [kind, mail] of Object.entries(mails)) {
    const opened = new Set<string>();
    const open = async (link: string) => {
      opened.add(link);
      // goto() rejects for a download.
      const response = await page.goto(link).catch(() => page.request.get(link));
      expect(response?.status()).toBe(200);
    };
    await show(page, mail);
    const inText = mail.text?.match(/http:\S+/g) ?? [];
    const links = new Set([...(await ownLinks()), ...inText, unsubscribeLinkOf(mail) ?? inText[0] ?? ""]);
    for (const link of links) {
      await open(link);
      for (const next of await ownLinks()) await open(next);
    }
    // Opened: the member page's download, the landing page, and the unsubscribe page of every kind except "link".
    expect([...opened].filter((link) => link.endsWith("/data"))).not.toEqual([]);
    expect(opened).toContain(`${site.origin}/`);
    expect([...opened].some((link) => link.includes("/unsubscribe/"))).toBe(kind !== "link");
  }
  expect(await readTables(db)).toEqual(before);
});

test("every kind of email has no axe violations and fits a phone", async ({ page, mailSite: { mails } }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  for (const [kind, mail] of Object.entries(mails)) {
    // No images, because many mail clients block them.
    expect(mail.html).not.toMatch(/<img|background-image|url\(/);
    await show(page, mail);
    await expectNoViolationsLightAndDark(page, kind);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await expect(page.locator("body")).toHaveCSS("background-color", computedColor(dark.ground));
    await page.emulateMedia({ colorScheme: "light" });
    await expect(page.locator("body")).toHaveCSS("background-color", computedColor(mailColors.ground));
  }
});

/** Every row of every table. */
async function readTables(db: Database): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await db.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const contents: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const { rows } = await db.pool.query(`select to_jsonb(one) as row from "${name}" as one order by 1`);
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}
