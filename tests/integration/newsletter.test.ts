import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import { createToken } from "#core/links/links.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { inDays, SECRET } from "#tests/support/members.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();
const { press, aMember, rows } = context;

const ledger = () => context.db.selectFrom("consents").select("given").orderBy("at").execute();

test("the newsletter can be subscribed to and unsubscribed from, and the consent ledger records each change", async () => {
  const page = await aMember();
  for (const wanted of ["yes", "yes", "no", "yes"]) await press(`${page}/newsletter`, `wanted=${wanted}`);
  expect(await ledger()).toEqual([{ given: true }, { given: false }, { given: true }]);
  expect((await context.app.inject(page)).body).toContain(NEWSLETTER_CONSENT.wording);
  expect(await verifyConsents(context.db)).toEqual({ orphans: 0, withoutWording: 0, contradictions: 0 });
});

describe("an unsubscribe link", () => {
  async function anUnsubscribeLink(): Promise<string> {
    await aMember({ firstName: "Ada", newsletter: true });
    const [member] = await rows();
    return member ? createToken("unsubscribe", createKeys(SECRET), member, inDays(30)) : "";
  }

  test.each([
    ["form-encoded", "List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"],
    [
      "multipart",
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      "multipart/form-data; boundary=x",
    ],
    ["the button on its page", "", "application/x-www-form-urlencoded"],
  ])("unsubscribes by %s", async (_how, body, type) => {
    const link = `${UNSUBSCRIBE_PATH}/${await anUnsubscribeLink()}`;
    const response = await press(link, body, { "content-type": type });
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain("unsubscribed");
    // Someone who unsubscribed before confirming can't request their link.
    expect(response.body).toMatch(/If you've confirmed your address, .*get your link.*Otherwise, write to .*mailto:/);
    expect(await rows()).toMatchObject([{ newsletter: false, mail_network: null }]);
    const deliveries = await context.db.selectFrom("deliveries").selectAll().execute();
    expect(deliveries).toMatchObject([{ state: "skipped", reason: "unsubscribed" }]);
    expect(await ledger()).toEqual([{ given: true }, { given: false }]);
    // Opened again, the link shows the same page instead of asking again.
    expect((await context.app.inject(link)).body).toBe(response.body);
  });

  test("asks people who aren't subscribed only if we would still ask them to confirm", async () => {
    const link = `${UNSUBSCRIBE_PATH}/${await anUnsubscribeLink()}`;
    const asks = async () => (await context.app.inject(link)).body.includes("<button");
    await sql`update sign_ups set newsletter = false`.execute(context.db);
    expect(await asks()).toBe(true);
    await sql`update sign_ups set confirmed_at = now()`.execute(context.db);
    expect(await asks()).toBe(false);
  });

  test("opens a page with one button, nothing about the person, and changes nothing", async () => {
    const token = await anUnsubscribeLink();
    const before = await rows();
    const { statusCode, body } = await context.app.inject(`${UNSUBSCRIBE_PATH}/${token}`);
    expect(statusCode).toBe(200);
    expect(body.match(/<button/g)).toHaveLength(1);
    expect(body).not.toMatch(/Ada|Lovelace|@example\.com/);
    expect(await rows()).toEqual(before);
  });

  test("can do nothing else", async () => {
    const token = await anUnsubscribeLink();
    await sql`update sign_ups set confirmed_at = now()`.execute(context.db);
    const before = await rows();
    const page = `${MEMBERSHIP_PATH}/${token}`;
    for (const url of [page, `${page}/data`]) expect((await context.app.inject(url)).statusCode).toBe(404);
    for (const button of ["confirm", "details", "newsletter", "leave"])
      expect((await press(`${page}/${button}`, "wanted=yes&firstName=x&lastName=y")).statusCode).toBe(404);
    expect(await rows()).toEqual(before);
  });
});
