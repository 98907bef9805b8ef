import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "@playwright/test";
import { dkimVerify } from "mailauth";
import PostalMime from "postal-mime";
import { brand } from "#brand/brand.ts";
import * as content from "#brand/content.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { untilAllSent, withMailSite } from "#tests/support/mail-site.ts";
import { startOpenSmtpd } from "#tests/support/open-smtpd.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, joinedTitle, openReadyToSubmit, submit, toast } from "#tests/support/visitor.ts";

const key = generateKeyPairSync("rsa", { modulusLength: 2048 });

const DKIM = {
  DKIM_DOMAIN: "farwatch.example",
  DKIM_SELECTOR: "one",
  DKIM_KEY: key.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};

/** Resolves the DKIM record that the domain's owner would publish. */
async function resolver(name: string, type: string): Promise<string[][]> {
  if (name !== "one._domainkey.farwatch.example" || type !== "TXT") return [];
  return [[`v=DKIM1; k=rsa; p=${key.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`]];
}

const memberPageIn = (text = "") => /http:\S+membership\S+/.exec(text)?.[0] ?? "";

test("a visitor joins, has the DKIM-signed email sent again, confirms, loses the link and is invited", async ({
  page,
}) => {
  await withMailSite(startOpenSmtpd, DKIM, async ({ site, db, arrived }) => {
    const ada = aSignUp();
    await openReadyToSubmit(page, site.origin);
    await fillIn(page, ada);
    await submit(page);
    await expect(joinedTitle(page)).toBeVisible();
    await expect(page.getByText(content.inboxText)).toBeVisible();

    const [raw = Buffer.of()] = await arrived(1);
    const { results } = await dkimVerify(raw, { resolver });
    expect(results.map(({ signingDomain, status }) => [signingDomain, status.result])).toEqual([
      ["farwatch.example", "pass"],
    ]);
    // RFC 8058: a mail provider offers one-click unsubscribe only if both headers are signed.
    const signed = results[0]?.signingHeaders?.keys.toLowerCase().split(/\s*:\s*/);
    expect(signed).toEqual(expect.arrayContaining(["list-unsubscribe", "list-unsubscribe-post"]));
    // The email can be sent again after five minutes.
    await untilAllSent(db);
    await db.pool.query("update deliveries set mailed_at = array[now() - interval '6 minutes']");
    await page.getByRole("button", { name: content.sendAgain }).click();
    await expect(page.getByRole("heading", { name: content.inboxTitle })).toBeVisible();
    const [, again] = await Promise.all((await arrived(2)).map((each) => PostalMime.parse(each)));
    expect(again?.to).toEqual([{ address: ada.email, name: "" }]);
    await page.goto(memberPageIn(again?.text));
    await page.getByRole("button", { name: "Confirm my address" }).click();
    await expect(page.getByText("Thank you. Your address is confirmed.")).toBeFocused();
    await expect(page.getByText("When it's your turn, we'll email your invitation to")).toBeInViewport();
    const row = await db.selectFrom("sign_ups").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ email: ada.email, confirmed_at: expect.any(Date) });

    await openReadyToSubmit(page, site.origin);
    await fillIn(page, ada);
    await submit(page);
    await expect(toast(page)).toContainText("This email is already on our waitlist.");
    await page.getByRole("link", { name: "Get your link" }).click();
    await page.getByRole("textbox", { name: "Email" }).fill(ada.email);
    await page.getByRole("button", { name: "Email me my link" }).click();
    await expect(page.getByText("If this address is on the list and can get another email right now")).toBeVisible();
    const mails = await Promise.all((await arrived(3)).map((each) => PostalMime.parse(each)));
    const link = mails.find(({ subject }) => subject === `Your ${brand.name} waitlist link`);
    await page.goto(memberPageIn(link?.text));
    await expect(page.getByText("You're on the list.")).toBeVisible();

    await inviteNext(db, OPERATOR, {}, 1);
    await page.reload();
    await expect(page.getByRole("heading", { name: "You're invited" })).toBeVisible();
    // The link to the product is first on the page.
    await expect(page.locator("main a, main button").first()).toHaveAttribute("href", /^https:\/\/app\..*invitation=/);
    await expect(page.getByRole("listitem").filter({ hasText: "Not yet" })).toHaveCount(0);
  });
});
