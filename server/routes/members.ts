import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { brand } from "#brand/brand.ts";
import { detailsSchema } from "#contract/member.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { firstErrors } from "#core/http/errors.ts";
import { inviteUrl } from "#core/links/invitation-tokens.ts";
import { answerQuestions } from "#core/members/answer.ts";
import { readDownload } from "#core/members/download.ts";
import { editPerson } from "#core/members/edit.ts";
import { confirmAddress, type Member, setNewsletter, unsubscribe } from "#core/members/member.ts";
import { readActiveQuestions } from "#core/people/questions.ts";
import { erase } from "#core/retention/erase.ts";
import { enforce, type Limiter, sendTooManyRequests } from "#server/limits/rate-limits.ts";
import { dataPage } from "#server/pages/data-page.ts";
import { memberPage, type Notice, type PageOptions } from "#server/pages/member-page.ts";
import { questionsSection } from "#server/pages/questions-section.ts";
import { lineSections } from "./line.ts";
import { tokenOf } from "./member-limits.ts";
import { forPerson, type Handler, readForm, sendPage, sendProblemPage, type TokenOptions } from "./member-replies.ts";

/** Only characters that every file system and header accepts. */
const DOWNLOAD_NAME = `${brand.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.json`;

/**
 * The page behind the link in an email. Link scanners open every link but press no button, so a GET changes nothing. No
 * CSRF check: anyone who knows a button's URL already has the token.
 */
export function membershipRoutes(app: FastifyInstance, options: TokenOptions): void {
  const { db, keys, limits, metrics, invitations } = options;
  const forMember = forPerson(options, "membership");
  const redirectTo = (notice: Notice, reply: FastifyReply, request: FastifyRequest) =>
    reply.redirect(`${pagePath(request)}#${notice}`, 303);

  const lineOf = lineSections(app, options);
  type Refused = Pick<PageOptions, "refused" | "areAnswersRefused">;
  const render = async (member: Member, request: FastifyRequest, refused: Refused = {}) => {
    const path = pagePath(request);
    const { confirmed_at, answers, invited_at, wave_id } = member;
    const { heading, sections = [] } = await lineOf(member);
    const questions = confirmed_at ? await readActiveQuestions(db) : [];
    if (questions.length > 0) sections.push(questionsSection(questions, answers, path, refused.areAnswersRefused));
    const url = invitations && invited_at && wave_id ? await inviteUrl(invitations, member, wave_id) : undefined;
    return memberPage(member, path, { ...refused, heading, sections, inviteUrl: url });
  };

  const sendProblem = sendProblemPage;
  const limited = { config: { limit: "member", sendProblem }, onRequest: enforce(limits.perClient) } as const;
  const consent = { ...limited, config: { limit: "consent", sendProblem } } as const;
  const withdrawal = { config: { limit: "withdrawal", sendProblem } } as const;

  /** `memberLimit` counts requests with a valid token against their member. */
  type Options = RouteShorthandOptions & { memberLimit?: Limiter };
  const route = (method: "GET" | "POST", path: string, { memberLimit, ...shorthand }: Options, handle: Handler) =>
    app.route({
      method,
      url: `${MEMBERSHIP_PATH}/:token${path}`,
      ...shorthand,
      handler: forMember(handle, memberLimit),
    });

  route("GET", "", { ...limited, memberLimit: limits.reads }, async (member, request, reply) =>
    sendPage(reply, await render(member, request)),
  );
  route("GET", "/data", { ...limited, memberLimit: limits.downloads }, async ({ email_key }, _request, reply) =>
    reply
      .header("content-disposition", `attachment; filename="${DOWNLOAD_NAME}"`)
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(await readDownload(db, email_key), null, 2)),
  );
  route("GET", "/data.html", { ...limited, memberLimit: limits.downloads }, async (member, request, reply) => {
    // As on the member page, nothing from the form is shown before the address is confirmed.
    if (!member.confirmed_at) return reply.redirect(pagePath(request), 303);
    return sendPage(reply, dataPage(await readDownload(db, member.email_key), pagePath(request)));
  });
  route("POST", "/confirm", { ...consent, memberLimit: limits.consents }, async (member, request, reply) => {
    await confirmAddress(db, member.id);
    if (!member.confirmed_at) metrics.confirmed.inc();
    return redirectTo("confirmed", reply, request);
  });
  route("POST", "/details", { ...limited, memberLimit: limits.changes }, async (member, request, reply) => {
    if (!member.confirmed_at) return reply.redirect(pagePath(request), 303);
    const { firstName = "", lastName = "", company = "" } = Object.fromEntries(readForm(request));
    const values = { firstName, lastName, company };
    const parsed = detailsSchema.safeParse(values);
    if (!parsed.success) {
      const found = parsed.error.issues.map(({ path: [field], message }) => ({ field: String(field), message }));
      const errors = Object.fromEntries(firstErrors(found).map(({ field, message }) => [field, message]));
      return sendPage(reply.code(400), await render(member, request, { refused: { values, errors } }));
    }
    await editPerson(db, null, member.id, parsed.data);
    return redirectTo("saved", reply, request);
  });
  route("POST", "/answers", { ...limited, memberLimit: limits.changes }, async (member, request, reply) => {
    if (!member.confirmed_at) return reply.redirect(pagePath(request), 303);
    const isSaved = await answerQuestions(db, member.id, readForm(request));
    if (!isSaved) return sendPage(reply.code(400), await render(member, request, { areAnswersRefused: true }));
    return redirectTo("answered", reply, request);
  });
  route("POST", "/newsletter", { config: consent.config }, async (member, request, reply) => {
    const wanted = readForm(request).get("wanted");
    // Unsubscribing uses this route too, but has no limit.
    const exceeded =
      wanted === "no" ? undefined : ((await limits.perClient(request)) ?? (await limits.consents(request)));
    if (exceeded) return sendTooManyRequests(reply, exceeded.retryAfterSeconds);
    if (wanted === "no") await unsubscribe(db, member);
    else if (wanted === "yes" && !member.newsletter) await setNewsletter(db, null, member.id, true);
    return redirectTo("news", reply, request);
  });
  route("POST", "/leave", withdrawal, async ({ email_key }, _request, reply) => {
    await erase(db, null, email_key, keys);
    return reply.redirect(`${MEMBERSHIP_PATH}/left`, 303);
  });
}

function pagePath(request: FastifyRequest): string {
  return `${MEMBERSHIP_PATH}/${tokenOf(request)}`;
}
