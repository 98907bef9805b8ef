import { describe, expect, test } from "vitest";
import { silenceMailbox } from "#core/mail/queue/mailboxes.ts";
import { sendLink } from "#core/mail/queue/send-link.ts";
import { CONFIRMATION } from "#core/mail/recipients.ts";
import { readDownload } from "#core/members/download.ts";
import { readPersonData } from "#core/members/person-data.ts";
import { readMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { prepareNews, sendNews } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { keyOf } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();
const ADA = "ada@example.com";

describe("deliveries", () => {
  test("are counted exactly, no matter how they change", async () => {
    const ids = await addMany(context.db, 40);
    const id = await prepareNews(context.db, {});
    const { pool } = context.db;
    const setState = (state: string, from: number, to: number) =>
      pool.query("update deliveries set state = $1, sent_at = now() where sign_up_id = any($2)", [
        state,
        ids.slice(from, to),
      ]);
    await Promise.all([setState("sent", 0, 10), setState("bounced", 10, 15), setState("skipped", 15, 18)]);
    await setState("failed", 9, 11);
    await pool.query("delete from sign_ups where id = any($1)", [[ids[0], ids[39]]]);
    const counts = { pending: 21, sent: 9, bounced: 4, complained: 0, skipped: 3, failed: 2 };
    expect((await readMessage(context.db, id))?.progress).toEqual(counts);
  });

  test("are part of a person's data and of their download", async () => {
    await addPeople(context.db, [{ email: ADA }]);
    await silenceMailbox(context.db, keyOf(ADA));
    await sendNews(context.db);
    const { deliveries } = await readPersonData(context.db, { email_key: keyOf(ADA) });
    expect(deliveries).toMatchObject([{ kind: "announcement", subject: "News", state: "pending" }]);
    expect(await readDownload(context.db, keyOf(ADA))).toMatchObject({
      "Emails to you": [{ Subject: "News", State: "pending" }],
      "Your mailbox": { "Mailbox, which several addresses can share": ADA },
    });
  });
});

describe("a link that an operator sends", () => {
  const delivered = (copies: number) =>
    context.db.pool.query(
      `insert into deliveries (message_id, sign_up_id, state, mailed_at)
       select ${CONFIRMATION}, id, 'sent', array_fill(now(), array[$1::integer]) from sign_ups`,
      [copies],
    );

  test("is due for the mail workers, once", async () => {
    const [ada = ""] = await addPeople(context.db, [{ email: ADA }]);
    expect(await sendLink(context.db, MAIL_ON, OPERATOR, ada)).toBeUndefined();
    expect(await context.db.selectFrom("sign_ups").select("mail_network").execute()).toEqual([{ mail_network: 0 }]);
    expect(await sendLink(context.db, MAIL_ON, OPERATOR, ada)).toBe("pending");
  });

  test.each([
    [
      "suppressed",
      "the address is suppressed",
      () => context.db.pool.query("update sign_ups set suppressed_at = now()"),
    ],
    ["recent", "they got one a moment ago", () => delivered(1)],
    ["limit", "another spelling has unsubscribed", () => silenceMailbox(context.db, keyOf(ADA))],
    ["limit", "five confirmations were sent", () => delivered(5)],
    ["missing", "they have left", () => context.db.pool.query("delete from sign_ups")],
  ])("is refused as %s if %s", async (refusal, _reason, given) => {
    const [ada = ""] = await addPeople(context.db, [{ email: ADA, confirmed: false }]);
    await given();
    expect(await sendLink(context.db, MAIL_ON, OPERATOR, ada)).toBe(refusal);
    expect(await context.db.selectFrom("activity").selectAll().execute()).toEqual([]);
  });
});
