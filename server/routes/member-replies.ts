import type { FastifyReply, FastifyRequest } from "fastify";
import type { Problem } from "#contract/problem.ts";
import type { Keys } from "#core/config/keys.ts";
import { verifyToken } from "#core/links/links.ts";
import { findMember, type Member } from "#core/members/member.ts";
import { type Limiter, sendTooManyRequests } from "#server/limits/rate-limits.ts";
import { invalidLinkPage, problemPage } from "#server/pages/link-pages.ts";
import { type MemberLimits, type MemberOptions, tokenOf } from "./member-limits.ts";

export type Handler = (member: Member, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").send(page);
}

/** The fields of a form. A JSON body is already parsed, and counts as an empty form. */
export function readForm({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof body === "string" ? body : "");
}

/**
 * For pages with the form that requests a link. With no-referrer, browsers send `Origin: null`, and older ones send no
 * Sec-Fetch-Site, so our own form would be rejected. The URLs of these pages contain no valid token.
 */
export function sendFormPage(reply: FastifyReply, page: string): FastifyReply {
  return sendPage(reply.header("referrer-policy", "same-origin"), page);
}

/** Sends a page instead of JSON, because people see these responses. */
export function sendProblemPage(reply: FastifyReply, { status }: Problem): FastifyReply | undefined {
  const page = problemPage(status);
  return page === undefined ? undefined : sendPage(reply.code(status), page);
}

export interface TokenOptions extends MemberOptions {
  keys: Keys;
  limits: MemberLimits;
}

/** Wraps handlers so that they run only if the URL has a valid token for this purpose. */
export function forPerson({ db, keys, limits, mail }: TokenOptions, purpose: "membership" | "unsubscribe") {
  /** Counts a request with a valid token against its member. */
  return (handle: Handler, limit?: Limiter) => async (request: FastifyRequest, reply: FastifyReply) => {
    const sendInvalid = () => sendFormPage(reply.code(404), invalidLinkPage(mail));
    const token = verifyToken(keys, tokenOf(request), purpose);
    if (!token) return sendInvalid();
    const exceeded = await limit?.(request);
    if (exceeded) return sendTooManyRequests(reply, exceeded.retryAfterSeconds);
    const isChange = request.method === "POST";
    const respond = async () => {
      const member = await db.breaker.read(() => findMember(db, token.id));
      if (!member || !token.isFor(member)) return sendInvalid();
      const { breaker } = db;
      return (isChange ? breaker.write : breaker.read)(() => handle(member, request, reply));
    };
    const refuse = () => sendTooManyRequests(reply, 1);
    const inTurn = async () => (isChange ? (limits.changeInTurn(request, respond) ?? refuse()) : respond());
    return limits.inTurn(`${purpose} ${token.id}`, inTurn) ?? refuse();
  };
}
