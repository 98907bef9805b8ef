import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { joinedSchema } from "#contract/joined.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import {
  ALREADY_JOINED,
  IDEMPOTENCY_KEY_HEADER,
  INVALID_EMAIL,
  isIdempotencyKey,
  KEY_REUSED,
  signUpSchema,
} from "#contract/sign-up.ts";
import { statsSchema } from "#contract/stats.ts";
import type { Keys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { problemResponse, sendProblem } from "#core/http/problem.ts";
import { findFriendOf } from "#core/links/friend-links.ts";
import { resendFor } from "#core/mail/queue/flag-mail.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { NO_ORIGIN, originOfPage } from "#core/people/origin.ts";
import { readTotals } from "#core/people/totals.ts";
import { cached } from "#core/service/cached.ts";
import { openWaitlist } from "#core/sign-ups/join.ts";
import { isOwnUrl, rejectCrossSite } from "#server/http/same-origin.ts";
import { SHORT_LIVED } from "#server/http/site.ts";
import { shedLoad } from "#server/limits/load-shedding.ts";
import { networkNumber } from "#server/limits/network-tiers.ts";
import { enforce, type LimiterParts, sendTooManyRequests } from "#server/limits/rate-limits.ts";
import { FORM_TYPE, isFormPost, readForm, returnToPage, returnWithProblem } from "./form-post.ts";
import { type SignUpLimits, signUpLimits } from "./sign-up-limits.ts";

export interface WaitlistOptions extends LimiterParts {
  db: Database;
  limits: SignUpLimits & {
    /** Sign-ups that may be queued for writing. */
    waiting: number;
  };
  /** The origin visitors use, if it differs from the Host header. */
  publicOrigin?: string | undefined;
  /** If on, sign-ups get a confirmation email: the server only flags it as due; a mail worker sends it. */
  mail?: MailOn | undefined;
  /** Verifies members' share links. */
  keys?: Keys | undefined;
}

const keyReusedResponse = { ...problemResponse, description: KEY_REUSED };

export const waitlistRoutes: FastifyPluginAsyncZod<WaitlistOptions> = async (app, options) => {
  const { db, limiter, metrics, limits, publicOrigin, mail, keys } = options;
  const totals = cached(() => db.breaker.read(() => readTotals(db.pool)), 1000);
  const { join, loadQuarantinedDomains, queueLength } = openWaitlist(db, {
    maxQueueLength: limits.waiting,
    totals,
    resend: resendFor(mail),
    onBatch(size, seconds) {
      metrics.batchSize.observe(size);
      metrics.commitSeconds.observe(seconds);
    },
    onFault(reason) {
      if (!db.breaker.report(reason)) app.log.warn(reason, "Could not flag a mail as due");
    },
  });
  await loadQuarantinedDomains();
  metrics.watch("farwatch_waiting", "Sign-ups waiting to be written", queueLength);

  const limit = await signUpLimits(app, limits, options);
  shedLoad(app);

  app.addContentTypeParser(FORM_TYPE, { parseAs: "string" }, async (_request: unknown, body: string) => readForm(body));

  /** Trusts only our own page as a referrer: any other could name any campaign or member. */
  async function originOf({ headers: { referer, host } }: FastifyRequest) {
    // Looks for parameters first, because most visitors have none, and parsing a URL takes a microsecond.
    if (!referer?.includes("?") || !isOwnUrl(referer, host, publicOrigin)) return NO_ORIGIN;
    // Without mail, nobody confirms, so no friend would count.
    if (!mail || !keys) return originOfPage(referer);
    // Counts as a write, so that during an outage the sign-up that follows doesn't wait for this read to time out.
    return originOfPage(referer, await db.breaker.write(() => findFriendOf(db, keys, referer)));
  }

  const confirmByEmail = mail && { confirmByEmail: true };

  app.post(
    WAITLIST_PATH,
    {
      schema: {
        summary: "Join the waitlist",
        description: `${IDEMPOTENCY_KEY_HEADER}: 32 hexadecimal digits that identify one filled-in form. A retry within a day, with the same key and content, gets the original response. The same key with other content for the same address gets 422.`,
        consumes: ["application/json", FORM_TYPE],
        body: signUpSchema,
        response: { 201: joinedSchema, 422: keyReusedResponse, "4xx": problemResponse, "5xx": problemResponse },
      },
      onRequest: [rejectCrossSite(publicOrigin), enforce(limit.client)],
      config: { limit: "client", sendProblem: returnWithProblem },
    },
    async (request, reply) => {
      const idempotencyKey = request.headers[IDEMPOTENCY_KEY_HEADER] ?? null;
      if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey)) {
        return sendProblem(reply, 400, `${IDEMPOTENCY_KEY_HEADER} must be 32 hexadecimal digits.`);
      }
      const joining = async () =>
        join(request.body, idempotencyKey, {
          origin: await originOf(request),
          isExcess: async () => (await limit.quarantine(request)) !== undefined,
          network: mail && networkNumber(request.ip, limiter.secret),
        });
      const outcome = await joining().catch((reason) => {
        metrics.joins.inc({ outcome: "failed" });
        throw reason;
      });
      metrics.joins.inc({ outcome: outcome.kind });
      switch (outcome.kind) {
        case "joined":
        case "quarantined":
          if (isFormPost(request)) return returnToPage(reply, "joined");
          reply.code(201).header("cache-control", "no-store").type("application/json; charset=utf-8");
          // Sent as text, like the stats, because our own two numbers need no validation.
          return reply.send(JSON.stringify({ data: outcome.totals, ...confirmByEmail }) as never);
        case "already-joined":
        case "key-reused": {
          // Counted only for duplicates, because a stranger who types an address must not use up its owner's limit.
          const exceeded = await limit.address(request);
          if (exceeded) return sendTooManyRequests(reply, exceeded.retryAfterSeconds);
          return outcome.kind === "key-reused"
            ? sendProblem(reply, 422, KEY_REUSED)
            : sendProblem(reply, 409, `This email is ${ALREADY_JOINED}.`);
        }
        case "no-such-domain":
          return sendProblem(reply, 400, { errors: [{ field: "email", message: INVALID_EMAIL }] });
        case "too-many-waiting":
          reply.header("retry-after", 1);
          throw Object.assign(new Error("Overload: the write queue is full"), { statusCode: 503 });
      }
      outcome satisfies never;
    },
  );

  app.get(
    STATS_PATH,
    // May be cached: the page shows the larger of this and the totals in the 201, so a new member is always counted.
    {
      schema: { summary: "How many are on the list", response: { 200: statsSchema, "5xx": problemResponse } },
      config: { limit: "memory" },
    },
    async (_request, reply) => {
      reply.header("cache-control", SHORT_LIVED).type("application/json; charset=utf-8");
      // Sent as text: validating the same numbers for every visitor would cost more than the rest of the request.
      return reply.send(JSON.stringify({ data: await totals() }) as never);
    },
  );
};
