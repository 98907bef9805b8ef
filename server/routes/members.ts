import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { brand } from "#brand/brand.ts";
import { pageStyle } from "#brand/style.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import type { Problem } from "#contract/problem.ts";
import type { InvitationConfig } from "#core/config.ts";
import type { Database } from "#core/database/connect.ts";
import type { Keys } from "#core/keys.ts";
import { stopConfirmations } from "#core/mail/outbox.ts";
import { inviteUrl } from "#core/members/invitations.ts";
import { verifyToken } from "#core/members/links.ts";
import { confirmAddress, findMember, type Member, setNewsletter } from "#core/members/store.ts";
import type { Metrics } from "#core/metrics.ts";
import { addressHash, erase } from "#core/waitlist/erase.ts";
import { personDataJson } from "#core/waitlist/person-data.ts";
import { SHORT_LIVED } from "#server/http/caching.ts";
import { enforce, type Limiter, type LimiterOptions, sendTooManyRequests } from "#server/http/rate-limits.ts";
import { PAGE_POLICY } from "#server/http/security-headers.ts";
import { erasedPage, invalidLinkPage, memberPage, STYLE_PATH, tooManyRequestsPage } from "#server/pages/member-page.ts";
import { memberLimits, tokenOf } from "./member-limits.ts";

export interface MembershipOptions {
  db: Database;
  keys: Keys;
  limiter: LimiterOptions;
  metrics: Metrics;
  /** Requests per minute from one client. */
  perClient: number;
  /** Without it, invited members see only the date. */
  invitations?: InvitationConfig | undefined;
}

/** The style sheet refers to it by a relative URL. */
const FONT_PATH = STYLE_PATH.replace(/css$/, "woff2");

/** Only characters that every file system and header accepts. */
const DOWNLOAD_NAME = `${brand.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.json`;

type Handler = (member: Member, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * The page behind the link in a mail. Link scanners open every link but press no button, so a GET changes nothing. No
 * CSRF check: anyone who knows a button's URL already has the token.
 */
export async function membershipRoutes(app: FastifyInstance, options: MembershipOptions) {
  const { db, keys, invitations } = options;
  const limits = await memberLimits(app, options);
  const rules = readFileSync(new URL("../pages/member-page.css", import.meta.url), "utf8");
  const style = pageStyle("dark", basename(FONT_PATH)) + rules;
  const font = readFileSync(new URL("../../brand/fonts/sans.woff2", import.meta.url));

  // Mail providers send one-click unsubscribe in either encoding; neither that nor the rest of the body matters.
  app.addContentTypeParser(
    ["application/x-www-form-urlencoded", "multipart/form-data"],
    { parseAs: "string" },
    async (_request: unknown, body: string) => body,
  );
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers({
      "cache-control": "no-store",
      "content-security-policy": PAGE_POLICY,
      // The URL of this page contains its token, which must not leak.
      "referrer-policy": "no-referrer",
    });
    done();
  });

  const sendPage = (reply: FastifyReply, page: string) => reply.type("text/html; charset=utf-8").send(page);
  const redirectBack = (reply: FastifyReply, request: FastifyRequest) => reply.redirect(pagePath(request), 303);

  // People see these responses, so they get a page.
  const sendProblem = (reply: FastifyReply, { status }: Problem) =>
    status === 429 ? sendPage(reply.code(status), tooManyRequestsPage()) : undefined;
  const inMemory = { config: { limit: "memory" } } as const;
  const limited = { config: { limit: "member", sendProblem }, onRequest: enforce(limits.perClient) } as const;
  const consent = { ...limited, config: { limit: "consent", sendProblem } } as const;
  const withdrawal = { config: { limit: "withdrawal" } } as const;

  /** Runs the handler only if the token in the URL is valid, and then counts the request against its member. */
  const forMember = (handle: Handler, limit?: Limiter) => async (request: FastifyRequest, reply: FastifyReply) => {
    const token = verifyToken(keys, tokenOf(request));
    const exceeded = token && (await limit?.(request));
    if (exceeded) return sendTooManyRequests(reply, exceeded.retryAfterSeconds);
    const member = token && (await db.breaker.read(() => findMember(db, token.id)));
    if (!member || !token.isFor(member)) return sendPage(reply.code(404), invalidLinkPage());
    const { breaker } = db;
    return (request.method === "POST" ? breaker.write : breaker.read)(() => handle(member, request, reply));
  };

  app.get(STYLE_PATH, inMemory, (_request, reply) =>
    reply.header("cache-control", SHORT_LIVED).type("text/css; charset=utf-8").send(style),
  );

  app.get(FONT_PATH, inMemory, (_request, reply) =>
    reply.header("cache-control", SHORT_LIVED).type("font/woff2").send(font),
  );

  const path = `${MEMBERSHIP_PATH}/:token`;
  app.get(
    path,
    limited,
    forMember(async (member, request, reply) => {
      const { invited_at: invitedAt, wave_id: id } = member;
      const url = invitations && invitedAt ? await inviteUrl(invitations, member, { id, invitedAt }) : undefined;
      return sendPage(reply, memberPage(member, pagePath(request), url));
    }, limits.reads),
  );
  app.get(
    `${path}/data`,
    limited,
    forMember(
      async ({ email_key }, _request, reply) =>
        reply
          .header("content-disposition", `attachment; filename="${DOWNLOAD_NAME}"`)
          .type("application/json; charset=utf-8")
          .send(Readable.from(personDataJson(db, email_key))),
      limits.downloads,
    ),
  );
  app.post(
    `${path}/confirm`,
    consent,
    forMember(async ({ id }, request, reply) => {
      await confirmAddress(db, id);
      return redirectBack(reply, request);
    }, limits.consents),
  );
  app.post(
    `${path}/newsletter`,
    { config: consent.config },
    forMember(async ({ id }, request, reply) => {
      // JSON has been parsed, and String() throws for an object with a toString of its own.
      const wanted = typeof request.body === "string" ? new URLSearchParams(request.body).get("wanted") : null;
      // By this button people also unsubscribe, which has no limit.
      const exceeded = wanted === "no" ? undefined : await limits.subscribing(request);
      if (exceeded) return sendTooManyRequests(reply, exceeded.retryAfterSeconds);
      if (wanted === "yes" || wanted === "no") await setNewsletter(db, id, wanted === "yes");
      return redirectBack(reply, request);
    }),
  );
  app.post(
    `${path}/unsubscribe`,
    withdrawal,
    forMember(async ({ id }, _request, reply) => {
      await setNewsletter(db, id, false);
      await stopConfirmations(db, id);
      return reply.code(204).send();
    }),
  );
  // Mail clients that open the URL instead of posting to it show the page with the button.
  app.get(
    `${path}/unsubscribe`,
    limited,
    forMember(async (_member, request, reply) => redirectBack(reply, request), limits.reads),
  );
  app.post(
    `${path}/leave`,
    withdrawal,
    forMember(async ({ email_key }, _request, reply) => {
      await erase(db, email_key, addressHash(keys, email_key));
      return sendPage(reply, erasedPage());
    }),
  );
}

function pagePath(request: FastifyRequest): string {
  return `${MEMBERSHIP_PATH}/${tokenOf(request)}`;
}
