import { randomBytes } from "node:crypto";
import { createMetrics } from "#core/service/metrics.ts";

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** App options without rate limits: for development, tests and the OpenAPI document. */
export const unlimited = {
  limiter: { secret: randomBytes(32) },
  limits: { perClient: NO_LIMIT, perAddress: NO_LIMIT, waiting: NO_LIMIT },
  get metrics() {
    return createMetrics();
  },
};
