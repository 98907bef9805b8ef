import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { MAIL_EVENTS_PATH, UNSUBSCRIBE_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { createToken } from "#core/links/links.ts";
import { resumeSource } from "#core/mail/events/resume-source.ts";
import { importSuppressions, suppressPerson } from "#core/mail/suppression/suppressions.ts";
import { setNewsletter } from "#core/members/member.ts";
import { readMessage } from "#core/messages/messages.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { createApp } from "#server/app.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { generic, useMailEvents } from "#tests/support/mail-events.ts";
import { postmarkBounce, resendEvent, signPostmark, signWebhook } from "#tests/support/mail-providers.ts";
import { inDays } from "#tests/support/members.ts";
import { addMany } from "#tests/support/people.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useMailEvents();
const { post, countRejected } = context;

test("takes 256 KiB of any type, responds 400 to anything malformed, and leaves other routes' limits alone", async () => {
  const { headers } = signPostmark({});
  const send = (payload: string, type: string) =>
    post("postmark", { payload, headers: { ...headers, "content-type": type } });
  const padded = (bytes: number) => JSON.stringify({ RecordType: "Delivery", x: "x".repeat(bytes) });
  expect(await send(padded(255 * 1024), "text/x-unknown")).toBe(204);
  expect(await send(padded(256 * 1024), "application/json")).toBe(413);
  for (const body of ["", "{", "null", "[]", "[".repeat(200_000)]) expect(await send(body, "text/plain")).toBe(400);
  const signUp = { method: "POST", url: WAITLIST_PATH, payload: padded(20_000) } as const;
  expect((await context.app.inject({ ...signUp, headers: { "content-type": "application/json" } })).statusCode).toBe(
    413,
  );
  expect((await context.app.inject({ ...signUp, headers: { "content-type": "text/plain" } })).statusCode).toBe(415);
});

test("is off until configured, and each client has its own limit for each provider", async () => {
  const off = await createApp({ db: context.db, ...unlimited });
  onTestFinished(() => off.close());
  expect((await off.inject({ method: "POST", url: `${MAIL_EVENTS_PATH}/ses`, payload: "{}" })).statusCode).toBe(404);
  const forged = { payload: "{}", headers: {} };
  for (let time = 0; time < 6000; time += 1) await post("postmark", forged, "198.51.100.1");
  expect(await post("postmark", forged, "198.51.100.1")).toBe(429);
  expect(await post("resend", forged, "198.51.100.1")).toBe(401);
  expect(await post("postmark", forged, "198.51.100.2")).toBe(401);
});

const consent =
  "insert into consents (sign_up_id, wording_version, given, at) select id, version, true, now() - interval '1 day' from sign_ups, consent_wordings";

test("a source that suppresses 50 people in a day, and a tenth of those mailed, is stopped until an operator undoes it", async () => {
  await addMany(context.db, 120);
  await context.db.pool.query(consent);
  const message = await context.mailed();
  await context.db.pool.query("insert into mail_minutes (minute, mails, people) values (now(), 0, 600)");
  const complain = (number: number) => post("generic", generic("complaint", `p${number}@example.com`));
  const since = new Date().toISOString().slice(0, 19);
  expect(await post("resend", signWebhook("svix", resendEvent("email.complained", "p120@example.com")))).toBe(204);
  let complaints = 0;
  while (complaints < 100 && (await complain(complaints + 1)) === 204) complaints += 1;
  expect([complaints, await countRejected(), await complain(119)]).toEqual([60, 61, 503]);
  expect(await waitlistJson("mail", "status")).toMatchObject({ stoppedSources: ["generic"] });

  expect((await waitlist("suppressions", "resume", "generik")).code).toBe(2);
  expect(await waitlistJson("suppressions", "resume", "generic", "--undo-since", since)).toEqual({ undone: 60 });
  expect(await readMessage(context.db, message)).toMatchObject({ progress: { sent: 119, complained: 1 } });
  expect(await waitlistJson("status")).toMatchObject({ newsletter: 119, unsubscribed: 1, suppressed: 1 });
  expect(await verifyConsents(context.db)).toMatchObject({ orphans: 0, contradictions: 0 });
  expect(await complain(1)).toBe(204);
});

test("undoing a source's reports subscribes nobody who unsubscribed, before or after the report", async () => {
  const ids = await addMany(context.db, 3);
  await context.db.pool.query(consent);
  await context.mailed();
  const app = await createApp({ db: context.db, ...unlimited, keys: createKeys(SECRET) });
  onTestFinished(() => app.close());
  const clickUnsubscribe = async (index: number) => {
    const person = { id: ids[index] ?? "", email_key: `p${index + 1}@example.com` };
    const token = createToken("unsubscribe", createKeys(SECRET), person, inDays(1));
    for (let click = 0; click < 3; click += 1)
      expect((await app.inject({ method: "POST", url: `${UNSUBSCRIBE_PATH}/${token}` })).statusCode).toBe(200);
  };
  for (const [index, kind] of ["complaint", "bounce", "complaint"].entries()) {
    expect(await post("generic", generic(kind, `p${index + 1}@example.com`, "5.1.1"))).toBe(204);
    if (index < 2) await clickUnsubscribe(index);
  }
  expect(await waitlistJson("suppressions", "resume", "generic", "--undo-since", "2020-01-01")).toEqual({ undone: 3 });
  const people = context.db.selectFrom("sign_ups").select(["newsletter", "suppressed_at"]).orderBy("id");
  expect(await people.execute()).toEqual(
    [false, false, true].map((newsletter) => ({ newsletter, suppressed_at: null })),
  );
  const ledger = await context.db.selectFrom("consents").select("given").orderBy("sign_up_id").orderBy("at").execute();
  // Unsubscribing has no limit, so only the first click after a complaint is recorded.
  expect(ledger.map(({ given }) => given)).toEqual([true, false, true, false, true]);
  expect(await verifyConsents(context.db)).toMatchObject({ orphans: 0, contradictions: 0 });
});

test("undoing a source's reports leaves what an operator, an import or another source decided after them", async () => {
  const ids = await addMany(context.db, 5);
  await context.db.pool.query(consent);
  await context.mailed();
  const address = (index: number) => `p${index + 1}@example.com`;
  const importAs = (state: "bounced" | "unsubscribed", index: number) =>
    importSuppressions(context.db, OPERATOR, Readable.from([`email\n${address(index)}\n`]), state);
  for (const index of ids.keys()) expect(await post("generic", generic("complaint", address(index)))).toBe(204);
  await suppressPerson(context.db, OPERATOR, ids[0] ?? "");
  await setNewsletter(context.db, OPERATOR, ids[1] ?? "", false);
  await importAs("unsubscribed", 2);
  await importAs("bounced", 3);
  await post("postmark", signPostmark(postmarkBounce(address(4), { RecordType: "SpamComplaint" })));
  await waitlistJson("suppressions", "resume", "generic", "--undo-since", "2020-01-01");
  const { rows } = await context.db.pool.query(
    "select concat(newsletter, ' ', suppressed_at is not null) as state from sign_ups order by id",
  );
  expect(rows.map(({ state }) => state)).toEqual(["f t", "f f", "f f", "t t", "f t"]);
});

test("undoing thousands of reports reads each a few times, not once per chunk", async () => {
  const { db } = context;
  await addMany(db, 3000);
  await db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, tried_at, reported_at, reported_by)
    select 1, id, 'bounced', now(), now(), 'generic' from sign_ups`);
  await db.pool.query("analyze deliveries");
  const countRead = async () => {
    await Promise.all(
      Array.from({ length: 10 }, () => db.pool.query("select pg_stat_force_next_flush(), pg_sleep(0.1)")),
    );
    const { rows } = await db.pool.query(
      "select idx_tup_read::integer as read from pg_stat_user_indexes where indexrelname = 'deliveries_reported'",
    );
    return rows[0].read;
  };
  const before = await countRead();
  expect(await resumeSource(db, OPERATOR, "generic", new Date(0))).toBe(3000);
  expect((await countRead()) - before).toBeLessThan(2 * 3000);
});
