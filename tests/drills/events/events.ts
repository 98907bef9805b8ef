import fc from "fast-check";
import { MAIL_EVENTS_PATH } from "#contract/paths.ts";
import { connect } from "#core/database/connect.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { createApp } from "#server/app.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { until } from "#tests/drills/harness/until.ts";
import { startWorker } from "#tests/drills/harness/worker.ts";
import { fill } from "#tests/support/fill.ts";
import * as providers from "#tests/support/mail-providers.ts";
import { sendNews } from "#tests/support/messages.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const { sesBounce, sesComplaint } = providers;

async function open({ keep }: Context, people: number) {
  const { url } = await keep(startScratchPostgres());
  const db = connect(url);
  await keep({ stop: () => db.destroy() });
  await migrateAll(db);
  await recordConsentWording(db);
  await fill(db, people);
  await db.pool.query("update sign_ups set confirmed_at = now() - interval '1 day', newsletter = true");
  const app = await createApp({ db, ...unlimited, mailEvents: providers.MAIL_EVENTS });
  await keep({ stop: () => app.close() });
  const sns = providers.createSns();
  await db.insertInto("sns_certificates").values({ url: providers.CERTIFICATE_URL, pem: sns.certificate }).execute();
  const post = async (provider: string, { payload, headers }: providers.Signed) =>
    (await app.inject({ method: "POST", url: `${MAIL_EVENTS_PATH}/${provider}`, payload, headers })).statusCode;
  return { url, db, sns, post };
}

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.constantFrom("", "\0", "\ud800", "5.1.1"));
const anyValue = fc.oneof(text, fc.jsonValue(), fc.constantFrom(null, [], {}, 1e308));

/** Most events are correctly signed, so that they reach the code behind the signature; half have one value replaced. */
export const fuzzEvents: Drill = {
  breaks: "malformed and forged events from mail providers",
  shows: "no 5xx, and nobody suppressed who wasn't mailed",
  controls: [],
  async run(context): Promise<Outcome> {
    const { check, size, args } = context;
    const { db, sns, post } = await open(context, 200);
    const cases = Number(args[1] ?? (size === "full" ? 100_000 : 2000));
    await db.pool.query(`
      insert into deliveries (message_id, sign_up_id, state, tried_at)
      select 2, id, 'sent', now() from sign_ups order by id limit 100`);
    const { rows } = await db.pool.query<{ email: string }>("select email from sign_ups");
    const email = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...rows.map((row) => row.email)) }, text);
    const signers: Record<string, (body: object) => providers.Signed> = {
      ses: (body) => sns.sign(body),
      postmark: (body) => providers.signPostmark(body),
      resend: (body) => providers.signWebhook("svix", body),
      generic: (body) => providers.signWebhook("webhook", body),
    };
    const bodies = (address: string): [string, object][] => [
      ["ses", sesBounce(address)],
      ["ses", sesComplaint(address)],
      ["postmark", providers.postmarkBounce(address)],
      ["resend", providers.resendEvent("email.bounced", address, { type: "Permanent" })],
      ["generic", providers.genericEvent("bounce", address, "4.2.2")],
    ];
    const event = fc.tuple(email, fc.nat(4), fc.option(fc.tuple(fc.nat(), anyValue)), fc.nat(9));
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < cases; sent += 1000) {
      // Lets every thousand suppress anew, because the limit would stop the drill.
      await db.deleteFrom("mail_sources").execute();
      for (const [address, index, replacement, luck] of fc.sample(event, 1000)) {
        const [provider = "", body = {}] = bodies(address)[index] ?? [];
        const signed = signers[provider]?.(replacement ? replaceValue(body, ...replacement) : body);
        if (!signed) continue;
        const status = await post(provider, luck > 0 ? signed : { ...signed, payload: `${signed.payload} ` });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    check(
      [...statuses.keys()].every((status) => status < 500),
      `statuses: ${[...statuses.keys()]}`,
    );
    check(
      [204, 400, 401].every((status) => statuses.has(status)),
      `statuses: ${[...statuses.keys()]}`,
    );
    const rejected = await db.pool.query<{ mailed: boolean }>(
      "select id in (select sign_up_id from deliveries) as mailed from sign_ups where rejected_at is not null",
    );
    check(rejected.rows.length > 50, `only ${rejected.rows.length} were suppressed`);
    check(
      rejected.rows.every(({ mailed }) => mailed),
      "someone was suppressed who wasn't mailed",
    );
    const figures = { suppressed: rejected.rows.length, ...Object.fromEntries(statuses) };
    return { acknowledged: cases, lost: 0, duplicated: 0, figures };
  },
};

function replaceValue(body: object, at: number, value: unknown): object {
  const json = JSON.stringify(body);
  const values = [...json.matchAll(/(?<=[:[])"(?:[^"\\]|\\.)*"/g)];
  const { index, 0: old } = values[at % values.length] ?? { index: 0, 0: json };
  return JSON.parse(json.slice(0, index) + JSON.stringify(value ?? null) + json.slice(index + old.length));
}

/** 4% of mails bounce and 0.5% are complained about, a moment after they arrive. */
export const pauseItself: Drill = {
  breaks: "bounces and complaints while a message is sent",
  shows: "it pauses itself, and nobody who complained gets another mail",
  controls: [],
  async run(context): Promise<Outcome> {
    const { check, keep, size } = context;
    const people = size === "full" ? 10_000 : 1000;
    const { url, db, sns, post } = await open(context, people);
    const complainedAt = new Map<string, Date>();
    const events: Promise<unknown>[] = [];
    let mails = 0;
    async function onMail(raw: Buffer): Promise<void> {
      const address = /^to: (.+)$/im.exec(raw.toString("latin1"))?.[1] ?? "";
      mails += 1;
      if (mails % 25 === 0) events.push(post("ses", sns.sign(sesBounce(address))));
      if (mails % 200 !== 100) return;
      events.push(post("ses", sns.sign(sesComplaint(address))).then(() => complainedAt.set(address, new Date())));
    }
    const smtp = await keep(startSmtpServer({ onMail }));
    const secrets = { SECRET: "an example secret of 32 characters", PUBLIC_ORIGIN: "https://farwatch.example" };
    const env = { DATABASE_URL: url, SMTP_URL: smtp.url, MAIL_PER_MINUTE: "60000", ...secrets };
    for (let worker = 0; worker < 2; worker += 1) await keep(startWorker(env));
    const hasEnded = async (id: string) =>
      ["paused", "done"].includes(
        (await db.selectFrom("messages").select("state").where("id", "=", id).execute())[0]?.state ?? "",
      );
    const sentAtEnd: number[] = [];
    for (let message = 0; message < 2; message += 1) {
      const id = await sendNews(db);
      await until("the message pauses or ends", () => hasEnded(id), 300_000);
      sentAtEnd.push(mails);
    }
    await Promise.all(events);
    const { rows } = await db.pool.query<{ email: string; tried_at: Date }>(
      "select email, tried_at from deliveries join sign_ups on id = sign_up_id where tried_at is not null",
    );
    const again = rows.filter(({ email, tried_at }) => tried_at > (complainedAt.get(email) ?? new Date()));
    check((sentAtEnd[0] ?? people) < people, `it was sent to ${sentAtEnd[0]} people`);
    const figures = { sentAtEnd, complaints: complainedAt.size };
    return { acknowledged: mails, lost: 0, duplicated: again.length, figures };
  },
};
