import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SignUp } from "#contract/sign-up.ts";
import { emailKey } from "#core/people/address.ts";
import { limitNetworks } from "#server/limits/network-tiers.ts";
import { createLimiter, type LimiterParts } from "#server/limits/rate-limits.ts";

export interface SignUpLimits {
  /** Sign-ups per minute from one client. Whole offices share an IP address. */
  perClient: number;
  /** Sign-ups per hour with one email address that is on the list already. */
  perAddress: number;
}

const HOUR_MS = 3_600_000;

/** A person's autofill fills the honeypot once or twice. */
const MAX_QUARANTINED_PER_HOUR = 10;

export async function signUpLimits(app: FastifyInstance, { perClient, perAddress }: SignUpLimits, parts: LimiterParts) {
  const quarantined = { prefix: "quarantine-", max: MAX_QUARANTINED_PER_HOUR, windowMs: HOUR_MS };
  const keyOf = ({ body }: FastifyRequest) => {
    const { email } = body as SignUp;
    return emailKey(email) ?? email;
  };
  return {
    client: await limitNetworks(app, { max: perClient, windowMs: 60_000 }, parts),
    /** Bots can't see this limit: beyond it, they get the usual response and are stored only if there is room. */
    quarantine: await limitNetworks(app, quarantined, parts),
    address: await createLimiter(app, { name: "address", max: perAddress, windowMs: HOUR_MS, keyOf }, parts),
  };
}
