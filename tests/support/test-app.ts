import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import type { SignUpInput } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import { type AppParts, createApp } from "#server/app.ts";
import { unlimited } from "#tools/dev/unlimited.ts";
import { joinAsMember, SECRET } from "./members.ts";
import { useEmptyList } from "./test-database.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** For a whole test file: an app with member pages and without limits. The list is empty before each test. */
export function useTestApp(parts: Partial<AppParts> = {}) {
  const create = (more: Partial<AppParts>) =>
    createApp({ db: context.db, ...unlimited, keys: createKeys(SECRET), ...parts, ...more });
  const context = Object.assign(useEmptyList(), {
    app: {} as FastifyInstance,
    /** Another app on the same database, which is closed when the test ends. */
    async openApp(limits: Partial<AppParts["limits"]> = {}, more: Partial<AppParts> = {}): Promise<FastifyInstance> {
      const app = await create({ limits: { ...unlimited.limits, ...limits }, ...more });
      onTestFinished(() => app.close());
      return app;
    },
    post: (payload: object | string, headers: Record<string, string> = {}) =>
      context.app.inject({ method: "POST", url: WAITLIST_PATH, payload, headers }),
    /** Submits a form, or presses one of its buttons. */
    press: (url: string, body = "", headers: Record<string, string> = {}) =>
      context.app.inject({ method: "POST", url, payload: body, headers: { ...FORM, ...headers } }),
    /** Signs someone up and returns the path of their member page. */
    aMember: (changes: Partial<SignUpInput> = {}, expiresAt?: Date) => joinAsMember(context, changes, expiresAt),
    rows: () => context.db.selectFrom("sign_ups").selectAll().orderBy("id").execute(),
  });
  beforeAll(async () => {
    context.app = await create({});
  });
  afterAll(() => context.app.close());
  return context;
}
