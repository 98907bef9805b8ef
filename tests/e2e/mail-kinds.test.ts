import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { Email } from "postal-mime";
import type { Database } from "#core/database/connect.ts";
import { untilAllSent } from "#tests/support/mail-site.ts";
import { expect, test } from "./mail-fixtures.ts";

const KINDS = ["confirmation", "link", "invitation", "announcement"] as const;

const headerOf = ({ headers }: Email, name: string) => headers.find(({ key }) => key === name)?.value;
const unsubscribeLinkOf = (mail: Email) => headerOf(mail, "list-unsubscribe")?.slice(1, -1);
const linksOn = (page: Page) =>
  page.locator("a[href]").evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));

/** The CSP of the page opened last would block setContent. */
async function show(page: Page, { html = "" }: Email): Promise<void> {
  await page.goto("about:blank");
  await page.setContent(html);
}

for (const kind of KINDS) {
  test(`a link scanner that opens every link in the ${kind} email, and every link behind those, changes nothing`, async ({
    page,
    mailSite: { site, db, mails },
  }) => {
    await untilAllSent(db);
    const before = await readTables(db);
    const opened = new Set<string>();
    // Nothing on other sites can change anything here.
    const ownLinks = async () => (await linksOn(page)).filter((link) => link.startsWith(site.origin));
    const open = async (link: string) => {
      opened.add(link);
      // A browser that is sent a download stays where it is.
      const response = await page.goto(link).catch(() => page.request.get(link));
      expect(response?.status()).toBe(200);
    };
    const mail = mails[kind];
    await show(page, mail);
    const inText = mail.text?.match(/http:\S+/g) ?? [];
    const links = new Set([...(await ownLinks()), ...inText, unsubscribeLinkOf(mail) ?? inText[0] ?? ""]);
    for (const link of links) {
      await open(link);
      for (const next of await ownLinks()) await open(next);
    }
    // The member page, the download on it and the landing page; the link only doesn't unsubscribe.
    expect([...opened].filter((link) => link.endsWith("/data"))).not.toEqual([]);
    expect(opened).toContain(`${site.origin}/`);
    expect([...opened].some((link) => link.includes("/unsubscribe/"))).toBe(kind !== "link");
    expect(await readTables(db)).toEqual(before);
  });

  test(`the ${kind} email has no axe violations and fits, in light and dark mode`, async ({
    page,
    mailSite: { mails },
  }) => {
    const mail = mails[kind];
    // No images: mail clients that block them show everything.
    expect(mail.html).not.toMatch(/<img|background-image|url\(/);
    for (const width of [360, 700]) {
      await page.setViewportSize({ width, height: 800 });
      for (const [colorScheme, background] of [
        ["light", "rgb(255, 255, 255)"],
        ["dark", "rgb(5, 6, 10)"],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await show(page, mail);
        expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background);
      }
    }
  });
}

const multipart = new FormData();
multipart.append("List-Unsubscribe", "One-Click");
const ENCODINGS = { "form-encoded": new URLSearchParams({ "List-Unsubscribe": "One-Click" }), multipart };

for (const kind of ["confirmation", "invitation", "announcement"] as const) {
  for (const [name, body] of Object.entries(ENCODINGS)) {
    test(`a mail provider's one-click request, ${name}, unsubscribes the recipient of the ${kind} email`, async ({
      mailSite: { db, mails },
    }) => {
      const mail = mails[kind];
      expect(headerOf(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
      const email = mail.to?.[0]?.address ?? "";
      await db.pool.query("update sign_ups set newsletter = true where email = $1", [email]);
      const response = await fetch(unsubscribeLinkOf(mail) ?? "", { method: "POST", body });
      expect(response.status).toBe(200);
      const { newsletter } = await db
        .selectFrom("sign_ups")
        .select("newsletter")
        .where("email", "=", email)
        .executeTakeFirstOrThrow();
      expect(newsletter).toBe(false);
    });
  }
}

test("the email with a requested link can't be unsubscribed from", async ({ mailSite: { mails } }) => {
  expect(unsubscribeLinkOf(mails.link)).toBeUndefined();
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
