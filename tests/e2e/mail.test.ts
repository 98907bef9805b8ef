import { generateKeyPairSync } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { dkimVerify } from "mailauth";
import PostalMime from "postal-mime";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { startOpenSmtpd } from "#tests/support/open-smtpd.ts";
import { post } from "#tests/support/post.ts";
import { type MailServer, startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, openReadyToSubmit, submit } from "#tests/support/visitor.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type RunningSite, startSite } from "#tools/dev/running-site.ts";

const key = generateKeyPairSync("rsa", { modulusLength: 2048 });

interface MailSite {
  site: RunningSite;
  db: Database;
  /** Waits for this many emails and returns their raw source. */
  arrived(mails: number): Promise<Buffer[]>;
}

/** Runs a separate site that sends DKIM-signed email to the given mail server. */
async function withMail(start: () => Promise<MailServer>, act: (mailSite: MailSite) => Promise<void>): Promise<void> {
  const server = await start();
  const port = await freePort();
  const site = await startSite({
    PORT: String(port),
    PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
    SECRET: "an example secret of 32 characters",
    SMTP_URL: server.url,
    DKIM_DOMAIN: "farwatch.example",
    DKIM_SELECTOR: "one",
    DKIM_KEY: key.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  });
  const db = connect(site.databaseUrl);
  try {
    await act({
      site,
      db,
      async arrived(mails) {
        await expect.poll(async () => (await server.inbox()).length).toBe(mails);
        return server.inbox();
      },
    });
  } finally {
    await db.destroy();
    await site.stop();
    await server.stop();
  }
}

/** Resolves the DKIM record that the domain's owner would publish. */
async function resolver(name: string, type: string): Promise<string[][]> {
  if (name !== "one._domainkey.farwatch.example" || type !== "TXT") return [];
  return [[`v=DKIM1; k=rsa; p=${key.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`]];
}

const memberPageIn = (text = "") => /http:\S+membership\S+/.exec(text)?.[0] ?? "";

for (const [name, start] of Object.entries({
  "an in-process SMTP server": () => startScratchSmtp(),
  OpenSMTPD: startOpenSmtpd,
})) {
  test(`a visitor joins, gets a DKIM-signed email through ${name} and confirms the address`, async ({ page }) => {
    await withMail(start, async ({ site, db, arrived }) => {
      const ada = aSignUp();
      await openReadyToSubmit(page, site.origin);
      await fillIn(page, ada);
      await submit(page);
      await expect(page.getByText("Successfully Joined!")).toBeVisible();
      await expect(page.getByText("If this is a new address, check your inbox to confirm it.")).toBeVisible();

      const [raw = Buffer.of()] = await arrived(1);
      const { results } = await dkimVerify(raw, { resolver });
      expect(results.map(({ signingDomain, status }) => [signingDomain, status.result])).toEqual([
        ["farwatch.example", "pass"],
      ]);
      // RFC 8058: a mail provider offers one-click unsubscribe only if both headers are signed.
      const signed = results[0]?.signingHeaders?.keys.toLowerCase().split(/\s*:\s*/);
      expect(signed).toEqual(expect.arrayContaining(["list-unsubscribe", "list-unsubscribe-post"]));
      const mail = await PostalMime.parse(raw);
      expect(mail.to).toEqual([{ address: ada.email, name: "" }]);

      await page.goto(memberPageIn(mail.text));
      await page.getByRole("button", { name: "Confirm my address" }).click();
      await expect(page.getByText("confirmed")).toBeVisible();
      const row = await db.selectFrom("sign_ups").selectAll().executeTakeFirstOrThrow();
      expect(row).toMatchObject({ email: ada.email, confirmed_at: expect.any(Date) });
    });
  });
}

test("a link scanner that opens every link in the emails, and every link behind those, changes nothing", async ({
  page,
}) => {
  await withMail(startScratchSmtp, async ({ site, db, arrived }) => {
    for (let person = 0; person < 3; person += 1) await post(site.origin, aSignUp({ newsletter: true }));
    const mails = await Promise.all((await arrived(3)).map((raw) => PostalMime.parse(raw)));
    const before = await readTables(db);
    const opened = new Set<string>();
    for (const { text, html = "", headers } of mails) {
      // The CSP of the page opened last would block setContent.
      await page.goto("about:blank");
      await page.setContent(html);
      const header = headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
      for (const link of [memberPageIn(text), ...(await linksOn(page)), header.slice(1, -1)]) {
        await page.goto(link);
        for (const next of [link, ...(await linksOn(page))]) {
          // As a scanner does: any response is fine, downloads included.
          await page.request.get(next);
          opened.add(next);
        }
      }
    }
    expect(opened.size).toBeGreaterThanOrEqual(3 * 3);
    expect(await readTables(db)).toEqual(before);
  });
});

test("someone who has lost their link asks for it on the page of an invalid one, and gets it by email", async ({
  page,
}) => {
  await withMail(startScratchSmtp, async ({ site, db, arrived }) => {
    const ada = aSignUp();
    await post(site.origin, ada);
    await arrived(1);
    await db.pool.query("update sign_ups set confirmed_at = now()");
    const ago = "now() - interval '25 hours'";
    // The mail may have arrived before it is recorded as sent.
    await expect
      .poll(async () => (await db.pool.query("select from deliveries where state = 'sent'")).rowCount)
      .toBe(1);
    await db.pool.query(`update deliveries set queued_at = ${ago}, tried_at = ${ago}`);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${site.origin}${MEMBERSHIP_PATH}/expired`);
    await page.getByRole("textbox", { name: "Email" }).fill("nobody");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Please enter a valid email address")).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.getByRole("textbox", { name: "Email" }).fill(ada.email);
    await page.getByRole("button", { name: "Email me my link" }).click();
    await expect(page.getByText("If this address is on the list, we've sent its link.")).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

    const [, raw = Buffer.of()] = await arrived(2);
    const { subject, text, html = "" } = await PostalMime.parse(raw);
    expect(subject).toBe("Your Farwatch waitlist link");
    await page.goto(memberPageIn(text));
    await expect(page.getByRole("heading", { name: "You're on the list" })).toBeVisible();
    await page.goto("about:blank");
    await page.setContent(html);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
});

test("the email has no axe violations in light and dark mode and fits a 360 px screen", async ({ page }) => {
  await withMail(startScratchSmtp, async ({ site, arrived }) => {
    await post(site.origin, aSignUp());
    const [raw = Buffer.of()] = await arrived(1);
    const { html = "" } = await PostalMime.parse(raw);
    await page.setViewportSize({ width: 360, height: 800 });
    const backgrounds: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setContent(html);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    }
    expect(backgrounds).toEqual(["rgb(255, 255, 255)", "rgb(5, 6, 10)"]);
    // No images: mail clients that block them show everything.
    expect(html).not.toMatch(/<img|background-image|url\(/);
  });
});

async function readTables(db: Database): Promise<unknown[]> {
  const tables = ["sign_ups", "consents", "erasures", "totals"] as const;
  return Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
}

const linksOn = (page: Page) =>
  page.locator("a[href]").evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
