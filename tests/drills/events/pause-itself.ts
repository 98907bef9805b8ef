import { setTimeout as pause } from "node:timers/promises";
import type { Change } from "#tests/drills/harness/change-source.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { until } from "#tests/drills/harness/until.ts";
import { startWorker } from "#tests/drills/harness/worker.ts";
import { sesBounce, sesComplaint } from "#tests/support/mail-providers.ts";
import { sendNews } from "#tests/support/messages.ts";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";
import { openEvents, withControls } from "./service.ts";

/** 4% of emails bounce, and 0.5% draw a complaint, each shortly after arriving. */
export const pauseItself: Drill = {
  breaks: "bounces and complaints while two messages are sent",
  shows: "they pause themselves, and nobody who complained gets another mail",
  ...withControls(sendTwo, [
    {
      without: "the pause",
      finds: /^a message was sent to all/,
      changes: [["core/mail/queue/choose-mails.ts", "await pauseUnhealthy(transaction);", ""]],
    },
    {
      without: "the check right before sending",
      finds: "duplicated",
      changes: [
        ["core/mail/recipients.ts", "SET_ASIDE} when", "SET_ASIDE} when false and"],
        ["core/mail/recipients.ts", "and not sign_ups.newsletter", "and false"],
      ],
    },
  ]),
};

async function sendTwo(context: Context, changes?: Change[]): Promise<Outcome> {
  const { check, keep, size } = context;
  const people = size === "full" ? 10_000 : 1000;
  const { env, db, sns, post } = await openEvents(context, people, changes);
  const complainedAt = new Map<string, Date>();
  const events: Promise<unknown>[] = [];
  let mails = 0;
  async function report(address: string, mail: number): Promise<void> {
    await pause((mail * 7) % 300);
    if (mail % 25 === 0) await post("ses", sns.sign(sesBounce(address)));
    if (mail % 200 !== 100) return;
    await post("ses", sns.sign(sesComplaint(address)));
    complainedAt.set(address, new Date());
  }
  async function onMail(raw: Buffer): Promise<void> {
    mails += 1;
    events.push(report(/^to: (.+)$/im.exec(raw.toString("latin1"))?.[1] ?? "", mails));
  }
  const smtp = await keep(startSmtpServer({ onMail }));
  const messages = [await sendNews(db), await sendNews(db)];
  for (let worker = 0; worker < 2; worker += 1) {
    await keep(startWorker({ ...env, SMTP_URL: smtp.url, MAIL_PER_MINUTE: "60000" }));
  }
  const sending = () =>
    db.selectFrom("messages").select("id").where("state", "=", "sending").where("id", "in", messages);
  await until("both pause or end", async () => (await sending().execute()).length === 0, 300_000);
  await Promise.all(events);
  const { rows } = await db.pool.query<{ message_id: string; email: string; tried_at: Date }>(
    "select message_id, email, tried_at from deliveries join sign_ups on id = sign_up_id where tried_at is not null",
  );
  const again = rows.filter(({ email, tried_at }) => tried_at > (complainedAt.get(email) ?? new Date()));
  const sentTo = messages.map((id) => rows.filter(({ message_id }) => message_id === id).length);
  check(Math.max(...sentTo) < people, `a message was sent to all ${people} people`);
  check(sentTo[1] !== 0, "the second message wasn't sent");
  const figures = { people, sentTo, complaints: complainedAt.size };
  return { acknowledged: mails, lost: 0, duplicated: again.length, figures };
}
