import type { FastifyInstance, FastifyRequest } from "fastify";
import type { InvitationConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { oneAtATime } from "#core/service/one-at-a-time.ts";
import { limitNetworks, networkNumber } from "#server/limits/network-tiers.ts";
import { createLimiter, type LimiterParts } from "#server/limits/rate-limits.ts";

export interface MemberOptions extends LimiterParts {
  db: Database;
  perClient: number;
  publicOrigin?: string | undefined;
  mail?: MailOn | undefined;
  /** If omitted, invited members see only the date of their invitation. */
  invitations?: InvitationConfig | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Per member. A person opens their page a few times; a mail provider's link scanners add a handful. */
const MAX_READS_PER_MINUTE = 60;
/** Per member. A download reads everything stored about them. */
const MAX_DOWNLOADS_PER_HOUR = 10;
/** Per member. Subscribing and unsubscribing adds two rows to a ledger that is never shortened. */
const MAX_CONSENTS_PER_HOUR = 10;
/** Per member. Changing the company locks two companies, and sign-ups from these wait. */
const MAX_CHANGES_PER_HOUR = 20;

/** Beyond these, even a withdrawal is refused for a second, because an unbounded queue would use up the memory. */
const MAX_WAITING_PER_LINK = 10;
const MAX_WAITING_PER_NETWORK = 1000;

/** The limits of member pages. For withdrawals, only the queues are bounded. */
export async function memberLimits(app: FastifyInstance, options: MemberOptions) {
  const { limiter, perClient } = options;
  const byMember = (name: string, max: number, windowMs: number) =>
    createLimiter(app, { name, max, windowMs, keyOf: memberId }, options);
  const byNetwork = oneAtATime(MAX_WAITING_PER_NETWORK);
  return {
    perClient: await limitNetworks(app, { prefix: "member-", max: perClient, windowMs: MINUTE_MS }, options),
    reads: await byMember("member-reads", MAX_READS_PER_MINUTE, MINUTE_MS),
    /** Counted separately, so that someone with the unsubscribe link can't lock the member out of their page. */
    unsubscribeReads: await byMember("unsubscribe-reads", MAX_READS_PER_MINUTE, MINUTE_MS),
    downloads: await byMember("member-downloads", MAX_DOWNLOADS_PER_HOUR, HOUR_MS),
    changes: await byMember("member-changes", MAX_CHANGES_PER_HOUR, HOUR_MS),
    consents: await byMember("member-consents", MAX_CONSENTS_PER_HOUR, HOUR_MS),
    /** Queues by link, so that a link clicked over and over can't use up the connections or the memory. */
    inTurn: oneAtATime(MAX_WAITING_PER_LINK),
    /** Queues by network: otherwise, 500 links used at once from one network would take every connection. */
    changeInTurn: <Result>({ ip }: FastifyRequest, change: () => Promise<Result>) =>
      byNetwork(String(networkNumber(ip, limiter.secret)), change),
  };
}

export type MemberLimits = Awaited<ReturnType<typeof memberLimits>>;

export function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}

/** The first part of the token, because each email has a different token. Trust it only once the token is verified. */
function memberId(request: FastifyRequest): string {
  return tokenOf(request).split(".", 1)[0] ?? "";
}
