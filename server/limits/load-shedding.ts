import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";

/** Backpressure: when the event loop lags this much for a second, new requests get 503 and should be retried. */
const MAX_EVENT_LOOP_DELAY_MS = 500;

/** Only measures, because an overloaded server still serves the page. */
export async function measureLoad(app: FastifyInstance): Promise<void> {
  await app.register(underPressure, { maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS, pressureHandler: () => {} });
}

/** Refuses a plugin's requests, except withdrawals, because a mail provider sends a one-click unsubscribe only once. */
export function shedLoad(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ routeOptions: { config } }) => {
    if (app.isUnderPressure() && config.limit !== "withdrawal")
      throw Object.assign(new Error("Overload: the event loop is late"), { statusCode: 503 });
  });
}
