import { randomBytes } from "node:crypto";
import { createMetrics } from "#core/metrics.ts";

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** What the app is given where nobody is to be turned away: in development, in tests, and to describe itself. */
export const unlimited = {
  limiter: { secret: randomBytes(32) },
  limits: { perClient: NO_LIMIT, perAddress: NO_LIMIT, waiting: NO_LIMIT },
  /** Each app its own. */
  get metrics() {
    return createMetrics();
  },
};
