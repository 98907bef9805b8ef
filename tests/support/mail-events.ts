import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { MAIL_EVENTS_PATH } from "#contract/paths.ts";
import { createLogger } from "#core/service/log.ts";
import { createApp } from "#server/app.ts";
import { unlimited } from "#tools/dev/unlimited.ts";
import { useOperator } from "./cli.ts";
import * as providers from "./mail-providers.ts";
import { sendNews } from "./messages.ts";

export const generic = (type: string, email: string, status?: string) =>
  providers.signWebhook("webhook", providers.genericEvent(type, email, status));

/** For a whole test file: a list, and an app that receives mail providers' events. */
export function useMailEvents() {
  const context = useOperator();
  const logged: string[] = [];
  const events = Object.assign(context, {} as { app: FastifyInstance }, {
    sns: providers.createSns(),
    /** Warnings of the app, as JSON. */
    logged,
    async post(provider: string, { payload, headers }: providers.Signed, remoteAddress = "192.0.2.1"): Promise<number> {
      const url = `${MAIL_EVENTS_PATH}/${provider}`;
      return (await events.app.inject({ method: "POST", url, payload, headers, remoteAddress })).statusCode;
    },
    /** Records a message to everyone as sent this long ago. */
    async mailed(ago = "1 second"): Promise<string> {
      const id = await sendNews(context.db);
      await context.db.pool.query("update sign_ups set confirmed_at = now() - interval '60 days'");
      await context.db.pool.query("update deliveries set state = 'sent', tried_at = now() - $1::interval", [ago]);
      return id;
    },
    readMails: () =>
      context.db.selectFrom("deliveries").innerJoin("sign_ups", "id", "sign_up_id").selectAll().execute(),
    countRejected: async () => (await events.readMails()).filter(({ suppressed_at }) => suppressed_at).length,
  });
  beforeAll(async () => {
    const log = createLogger("warn", { write: (line) => void logged.push(line) });
    events.app = await createApp({ db: context.db, ...unlimited, log, mailEvents: providers.MAIL_EVENTS });
  });
  afterAll(() => events.app.close());
  beforeEach(async () => {
    const certificate = { url: providers.CERTIFICATE_URL, pem: events.sns.certificate };
    await context.db.insertInto("sns_certificates").values(certificate).execute();
  });
  return events;
}
