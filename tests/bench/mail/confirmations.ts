import { setTimeout as pause } from "node:timers/promises";
import { prepareMessage } from "#core/messages/audience.ts";
import { startMessage } from "#core/messages/message-states.ts";
import { createMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addMany } from "#tests/support/people.ts";
import { post } from "#tests/support/post.ts";
import { quantile } from "#tests/support/quantile.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";
import { MAIL_ENV, withDatabase } from "./database.ts";

/** One a second: the default of MAIL_PER_MINUTE keeps two a second for confirmations. */
const INTERVAL_MS = 1000;
const MAX_WAIT_MS = 60_000;

/**
 * The p95 from a sign-up to the mail server, in milliseconds, while an announcement to `waiting` people is being sent.
 */
export async function measureConfirmations(waiting: number, signUps: number): Promise<number> {
  const arrivedAt = new Map<string, number>();
  const smtp = await startSmtpServer({
    async onMail(mail) {
      const to = /^to: (.+)$/im.exec(mail.toString())?.[1]?.trim() ?? "";
      if (!arrivedAt.has(to)) arrivedAt.set(to, performance.now());
    },
  });
  const latencies = await withDatabase(async (db, url) => {
    await addMany(db, waiting);
    const news = { kind: "announcement", subject: "News", body: "Hi {{firstName}}", audience: {}, pace: null } as const;
    const { id } = await createMessage(db, OPERATOR, news);
    await prepareMessage(db, OPERATOR, id);
    await startMessage(db, OPERATOR, id);
    const server = await startServer({
      ...MAIL_ENV,
      DATABASE_URL: url,
      SMTP_URL: smtp.url,
      LIMIT_PER_CLIENT: "1000000",
    });
    // Until the announcement is being sent.
    while (arrivedAt.size < 20) await pause(100);
    const signedUpAt = new Map<string, number>();
    for (let number = 0; number < signUps; number += 1) {
      const signUp = aSignUp();
      signedUpAt.set(signUp.email, performance.now());
      const { status } = await post(server.origin, signUp);
      if (status !== 201) throw new Error(`A sign-up got ${status}`);
      await pause(INTERVAL_MS);
    }
    const deadline = performance.now() + MAX_WAIT_MS;
    const isMissing = () => [...signedUpAt.keys()].some((email) => !arrivedAt.has(email));
    while (isMissing() && performance.now() < deadline) await pause(100);
    await server.stop();
    return [...signedUpAt].map(([email, at]) => (arrivedAt.get(email) ?? Number.POSITIVE_INFINITY) - at);
  });
  await smtp.stop();
  return quantile(latencies, 0.95);
}
