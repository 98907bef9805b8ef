import type { FastifyInstance, FastifyRequest } from "fastify";
import type { InvitationConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import type { Metrics } from "#core/service/metrics.ts";
import { limitNetworks, networkNumber } from "#server/http/network-tiers.ts";
import { oneAtATime } from "#server/http/one-at-a-time.ts";
import { createLimiter, type LimiterOptions } from "#server/http/rate-limits.ts";

/** Options of all member routes. */
export interface MemberOptions {
  db: Database;
  limiter: LimiterOptions;
  metrics: Metrics;
  /** Requests per minute from one client. */
  perClient: number;
  publicOrigin?: string | undefined;
  isMailed: boolean;
  /** Without it, invited members see only the date. */
  invitations?: InvitationConfig | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Per member. A person opens their page a few times; a mail provider's link scanners add a handful. */
const MAX_READS_PER_MINUTE = 60;
/** Per member. A download reads the whole ledger. */
const MAX_DOWNLOADS_PER_HOUR = 10;
/** Per member. Each change of mind adds two rows to a ledger that is never shortened. */
const MAX_CONSENTS_PER_HOUR = 10;
/** Per member. Each change locks two companies that others are joining. */
const MAX_CHANGES_PER_HOUR = 20;

/** Beyond these, even a withdrawal has to be repeated: requests that wait without end would use up the memory. */
const MAX_WAITING_PER_LINK = 10;
const MAX_WAITING_PER_NETWORK = 1000;

/** The limits of member pages. Withdrawals have none but how many can wait. */
export async function memberLimits(app: FastifyInstance, { limiter, metrics, perClient }: MemberOptions) {
  const byMember = (name: string, max: number, windowMs: number) =>
    createLimiter(app, { name, max, windowMs, keyOf: memberId }, limiter, metrics);
  const byNetwork = oneAtATime(MAX_WAITING_PER_NETWORK);
  return {
    perClient: await limitNetworks(app, { prefix: "member-", max: perClient, windowMs: MINUTE_MS }, limiter, metrics),
    reads: await byMember("member-reads", MAX_READS_PER_MINUTE, MINUTE_MS),
    /** Apart, so that someone with the unsubscribe link can't keep its member from their page. */
    unsubscribeReads: await byMember("unsubscribe-reads", MAX_READS_PER_MINUTE, MINUTE_MS),
    downloads: await byMember("member-downloads", MAX_DOWNLOADS_PER_HOUR, HOUR_MS),
    changes: await byMember("member-changes", MAX_CHANGES_PER_HOUR, HOUR_MS),
    consents: await byMember("member-consents", MAX_CONSENTS_PER_HOUR, HOUR_MS),
    /** By link, so that one that is pressed again and again leaves the connections, and the memory, to other members. */
    inTurn: oneAtATime(MAX_WAITING_PER_LINK),
    /** Else a network that presses 500 links at once, or asks for 500, would take every connection. */
    changeInTurn: <Result>({ ip }: FastifyRequest, change: () => Promise<Result>) =>
      byNetwork(String(networkNumber(ip, limiter.secret)), change),
  };
}

export type MemberLimits = Awaited<ReturnType<typeof memberLimits>>;

export function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}

/** The first part of the token, because a person has a token for each mail. Only meaningful once it is verified. */
function memberId(request: FastifyRequest): string {
  return tokenOf(request).split(".", 1)[0] ?? "";
}
