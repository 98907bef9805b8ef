import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { ACCEPTED_PATH } from "#contract/paths.ts";
import type { InvitationConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { problemResponse, sendProblem } from "#core/http/problem.ts";
import { isSigned } from "#core/http/signature.ts";
import { type Acceptance, accept } from "#core/invitations/accept.ts";
import { readAcceptanceSecrets } from "#core/invitations/acceptance-secrets.ts";
import { parseAs } from "#core/mail/events/event.ts";
import { cached } from "#core/service/cached.ts";
import { shedLoad } from "#server/limits/load-shedding.ts";
import { networkOf } from "#server/limits/networks.ts";
import { createLimiter, enforce, type LimiterParts } from "#server/limits/rate-limits.ts";

/** A token is about 600 bytes. */
const MAX_BODY = 4096;
const MAX_PER_MINUTE = 6000;
const SECRETS_TTL_MS = 10_000;

const description = `Signed as Standard Webhooks 1.0.0. The token is the whole invitation as received.
401: the signature is wrong. 404: nobody on the list has this invitation. 409: it was taken back. 410: it had expired.
422: the token isn't ours. Retry after 429 and 5xx. 404 unless INVITE_URL is set.`;
const body = z.object({
  type: z.literal("invitation.accepted"),
  timestamp: z.iso.datetime({ offset: true }),
  data: z.object({ token: z.string() }),
});
const recorded = z.object({ outcome: z.enum(["accepted", "repeated"]) });
const schema = {
  summary: "Report a used invitation",
  description,
  body,
  response: { 200: recorded, "4xx": problemResponse, "5xx": problemResponse },
};

const UNSIGNED = "The signature isn't by a current secret, or is more than five minutes old.";
const REFUSALS: Record<Exclude<Acceptance, "accepted" | "repeated">, [status: number, detail: string]> = {
  unknown: [404, "Nobody on the list has this invitation. They may have left."],
  "taken-back": [409, "This invitation was taken back."],
  expired: [410, "This invitation had expired by then."],
  forged: [422, "This token isn't one of our invitations."],
};

type Options = LimiterParts & { db: Database; invitations: InvitationConfig };

/** The product tells us that an invitation was used. */
export const acceptanceRoutes: FastifyPluginAsyncZod<Options> = async (app, { db, invitations, ...parts }) => {
  // Cached, so that forged requests don't cost a query each.
  const secrets = cached(() => db.breaker.read(() => readAcceptanceSecrets(db)), SECRETS_TTL_MS);
  const keyOf = ({ ip }: FastifyRequest) => networkOf(ip, 32, 64);
  const limit = { name: "acceptances", max: MAX_PER_MINUTE, windowMs: 60_000, keyOf };
  const onRequest = enforce(await createLimiter(app, limit, parts));
  shedLoad(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, raw: Buffer) => raw);
  // The signature covers the raw bytes, so it is verified before they are parsed and validated.
  app.addHook("preValidation", async (request, reply) => {
    const { headers, body = Buffer.of() } = request as { headers: FastifyRequest["headers"]; body?: Buffer };
    const isCurrent = (await secrets()).some((secret) => isSigned("webhook", { headers, body, secret }));
    if (!isCurrent) return sendProblem(reply, 401, UNSIGNED);
    request.body = parseAs(z.unknown(), body);
  });
  const options = { schema, bodyLimit: MAX_BODY, onRequest, config: { limit: "provider" } } as const;
  app.post(ACCEPTED_PATH, options, async ({ body: { timestamp, data } }, reply) => {
    const outcome = await db.breaker.write(() => accept(db, invitations, data.token, new Date(timestamp)));
    if (outcome === "accepted" || outcome === "repeated") return { outcome };
    const [status, detail] = REFUSALS[outcome];
    return sendProblem(reply, status, detail);
  });
};
