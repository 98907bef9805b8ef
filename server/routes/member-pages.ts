import type { FastifyInstance } from "fastify";
import type { Keys } from "#core/config/keys.ts";
import { PAGE_POLICY } from "#server/http/site.ts";
import { shedLoad } from "#server/limits/load-shedding.ts";
import { linkRequestRoutes } from "./link-requests.ts";
import { memberAssets } from "./member-assets.ts";
import { type MemberOptions, memberLimits } from "./member-limits.ts";
import { membershipRoutes } from "./members.ts";
import { unsubscribeRoutes } from "./unsubscribe.ts";

/** Everything behind the links in emails, and the page that sends a new link. All of it works without JavaScript. */
export async function memberPages(app: FastifyInstance, options: MemberOptions & { keys?: Keys | undefined }) {
  // Mail providers send one-click unsubscribe in either encoding.
  app.addContentTypeParser(
    ["application/x-www-form-urlencoded", "multipart/form-data"],
    { parseAs: "string" },
    async (_request: unknown, body: string) => body,
  );
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers({
      "cache-control": "no-store",
      "content-security-policy": PAGE_POLICY,
      // The URL of most of these pages contains a token, which must not leak.
      "referrer-policy": "no-referrer",
    });
    done();
  });

  shedLoad(app);
  const limits = await memberLimits(app, options);
  memberAssets(app);
  linkRequestRoutes(app, { ...options, limits });
  const { keys } = options;
  // Without keys there are no links, and so no pages behind them.
  if (!keys) return;
  membershipRoutes(app, { ...options, keys, limits });
  unsubscribeRoutes(app, { ...options, keys, limits });
}
