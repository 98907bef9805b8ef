import type { FastifyInstance, FastifyRequest } from "fastify";
import { UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { isUnsubscribed } from "#core/mail/queue/flag-mail.ts";
import { unsubscribe } from "#core/members/member.ts";
import { enforce } from "#server/limits/rate-limits.ts";
import { unsubscribedPage, unsubscribePage } from "#server/pages/link-pages.ts";
import { tokenOf } from "./member-limits.ts";
import { forPerson, sendPage, sendProblemPage, type TokenOptions } from "./member-replies.ts";

/** One-click unsubscribe (RFC 8058), and a page with a button for people who open the URL. A GET changes nothing. */
export function unsubscribeRoutes(app: FastifyInstance, options: TokenOptions): void {
  const { db, limits } = options;
  const forSubscriber = forPerson(options, "unsubscribe");
  const path = `${UNSUBSCRIBE_PATH}/:token`;
  const ownPath = (request: FastifyRequest) => `${UNSUBSCRIBE_PATH}/${tokenOf(request)}`;

  app.get(
    path,
    { config: { limit: "member", sendProblem: sendProblemPage }, onRequest: enforce(limits.perClient) },
    forSubscriber(async (member, request, reply) => {
      // The mail provider's button may have unsubscribed them already.
      const isDone = await isUnsubscribed(db, member);
      return sendPage(reply, isDone ? unsubscribedPage : unsubscribePage(ownPath(request)));
    }, limits.unsubscribeReads),
  );
  app.post(
    path,
    { config: { limit: "withdrawal", sendProblem: sendProblemPage } },
    forSubscriber(async (member, _request, reply) => {
      await unsubscribe(db, member, { andConfirmations: true });
      return sendPage(reply, unsubscribedPage);
    }),
  );
}
