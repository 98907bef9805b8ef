import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createApp } from "#server/app.ts";
import { unlimited } from "#tools/dev/unlimited.ts";
import { emptyWaitlist } from "./empty-waitlist.ts";
import { useTestDatabase } from "./test-database.ts";

/** For a whole test file: an app without limits, and for each test an empty list. */
export function useTestApp() {
  const context = Object.assign(useTestDatabase(), {} as { app: FastifyInstance });
  beforeAll(async () => {
    context.app = await createApp({ db: context.db, ...unlimited });
  });
  afterAll(() => context.app.close());
  beforeEach(() => emptyWaitlist(context.db));
  return context;
}
