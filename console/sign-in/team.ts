import type { Access } from "#console/api/guard.ts";
import type { TeamConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { readSession } from "#core/operators/sessions.ts";
import { readCookies, SESSION_COOKIE } from "./cookies.ts";
import { createSignInRoutes } from "./routes.ts";

/** People sign in with the company's account. What they may do is looked up for every request. */
export function createTeamAccess(db: Database, config: TeamConfig): Access {
  const { origin, issuer, roleClaim } = config;
  return {
    mode: "team",
    origin,
    routes: createSignInRoutes(db, config),
    async authenticate({ headers }) {
      const token = readCookies(headers.cookie).get(SESSION_COOKIE);
      const isPolling = headers["x-polling"] !== undefined;
      const session = token ? await readSession(db, token, { issuer, isPolling }) : undefined;
      if (!session) return "ended";
      if (roleClaim && session.isClaimOld) return "renew";
      const role = roleClaim ? session.roleFromClaim : session.listedRole;
      if (!role) return "ended";
      return { actor: { name: session.email, via: "console" }, role, sessionId: session.id };
    },
  };
}
