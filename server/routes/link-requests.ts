import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { linkRequestSchema } from "#contract/member.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { INVALID_EMAIL } from "#contract/sign-up.ts";
import { requestLink } from "#core/mail/queue/flag-mail.ts";
import { emailKey } from "#core/people/address.ts";
import { rejectCrossSite } from "#server/http/same-origin.ts";
import { networkNumber } from "#server/limits/network-tiers.ts";
import { enforce, sendTooManyRequests } from "#server/limits/rate-limits.ts";
import { erasedPage, linkRequestPage, linkSentPage } from "#server/pages/link-pages.ts";
import type { MemberLimits, MemberOptions } from "./member-limits.ts";
import { readForm, sendFormPage, sendProblemPage } from "./member-replies.ts";

/** The minimum response time, so that timing doesn't reveal whether something was written. */
export const MIN_RESPONSE_MS = 250;

/** Emails people their link again. The response is the same for every address, whether it is on the list or not. */
export function linkRequestRoutes(app: FastifyInstance, options: MemberOptions & { limits: MemberLimits }): void {
  const { db, limiter, limits, publicOrigin, mail } = options;
  const pages = { "": linkRequestPage(mail), "/sent": linkSentPage, "/left": erasedPage };

  for (const [path, page] of Object.entries(pages)) {
    app.get(MEMBERSHIP_PATH + path, { config: { limit: "memory" } }, (_request, reply) => sendFormPage(reply, page));
  }
  if (!mail) return;
  const onRequest = [rejectCrossSite(publicOrigin), enforce(limits.perClient)];
  const config = { limit: "client", sendProblem: sendProblemPage } as const;
  app.post(MEMBERSHIP_PATH, { onRequest, config }, async (request, reply) => {
    const value = readForm(request).get("email") ?? "";
    const parsed = linkRequestSchema.safeParse({ email: value });
    const key = parsed.success && emailKey(parsed.data.email);
    if (!key) return sendFormPage(reply.code(400), linkRequestPage(mail, { value, error: INVALID_EMAIL }));
    const network = networkNumber(request.ip, limiter.secret);
    const flagged = limits.changeInTurn(request, () => db.breaker.write(() => requestLink(db, mail, key, network)));
    if (!flagged) return sendTooManyRequests(reply, 1);
    await Promise.all([flagged, pause(MIN_RESPONSE_MS)]);
    return reply.redirect(`${MEMBERSHIP_PATH}/sent`, 303);
  });
}
