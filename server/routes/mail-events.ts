import type { FastifyInstance, FastifyRequest } from "fastify";
import { MAIL_EVENTS_PATH } from "#contract/paths.ts";
import type { Database } from "#core/database/connect.ts";
import { sendProblem } from "#core/http/problem.ts";
import { applyEvent } from "#core/mail/events/apply-event.ts";
import type { Reading, Received } from "#core/mail/events/event.ts";
import { readPostmark } from "#core/mail/events/postmark.ts";
import { readSes } from "#core/mail/events/ses.ts";
import { readGeneric, readResend } from "#core/mail/events/webhooks.ts";
import { shedLoad } from "#server/limits/load-shedding.ts";
import { networkOf } from "#server/limits/networks.ts";
import { createLimiter, enforce, type LimiterParts } from "#server/limits/rate-limits.ts";

export interface MailEventOptions extends LimiterParts {
  db: Database;
  mailEvents?: Record<string, string>;
}

const MAX_BODY = 256 * 1024;
/** Per provider and client, so that a stranger can't use up a provider's limit. A bounce wave is thousands a minute. */
const MAX_PER_MINUTE = 6000;
const STATUS = { unverified: 401, malformed: 400, later: 503 };

type Read = (received: Received) => Reading | Promise<Reading>;
const READERS: Record<string, Read> = {
  ses: readSes,
  postmark: readPostmark,
  resend: readResend,
  generic: readGeneric,
};

/** Bounces and complaints from mail providers, in any content type, because SNS sends text/plain. */
export async function mailEventRoutes(app: FastifyInstance, options: MailEventOptions): Promise<void> {
  const { db, mailEvents = {} } = options;
  shedLoad(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) => body);
  for (const [provider, secret] of Object.entries(mailEvents)) {
    const keyOf = ({ ip }: FastifyRequest) => `${provider} ${networkOf(ip, 32, 64)}`;
    const limit = { name: "mail-events", max: MAX_PER_MINUTE, windowMs: 60_000, keyOf };
    const onRequest = enforce(await createLimiter(app, limit, options));
    const routeOptions = { bodyLimit: MAX_BODY, onRequest, config: { limit: "provider" as const } };
    app.post<{ Body?: Buffer }>(`${MAIL_EVENTS_PATH}/${provider}`, routeOptions, async (request, reply) => {
      const { body = Buffer.of(), headers, log } = request;
      const onSubscription = (url: string) => log.warn({ url }, "To get events from SNS, open this URL");
      const reading = await READERS[provider]?.({ body, headers, secret, db, onSubscription });
      if (typeof reading === "string") return sendProblem(reply, STATUS[reading]);
      for (const event of reading ?? []) {
        // 503, so that the provider retries until an operator resumes the source.
        if (!(await db.breaker.write(() => applyEvent(db, provider, event)))) return sendProblem(reply, 503);
      }
      return reply.code(204).send();
    });
  }
}
