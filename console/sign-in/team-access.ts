import rateLimit from "@fastify/rate-limit";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { brand } from "#brand/brand.ts";
import type { Access, Authenticate } from "#console/http/guard.ts";
import { randomToken } from "#console/http/session.ts";
import type { TeamConfig } from "#core/config/config.ts";
import { isEntra } from "#core/config/setting-rules.ts";
import type { Database } from "#core/database/connect.ts";
import { endSessions, MAX_SESSION_HOURS, readSession, recordRefusal, startSession } from "#core/operators/sessions.ts";
import { readListedRole } from "#core/operators/team-roles.ts";
import { cookie, expired, PENDING_COOKIE, readCookies, SESSION_COOKIE } from "./cookies.ts";
import { roleIn, verifiedAddress } from "./identity.ts";
import { createProvider, explainFailure, type PendingLogin } from "./provider.ts";
import { createSeal } from "./seal.ts";

/** Each tab that signs in has its own pending sign-in, so that tabs don't race. */
const MAX_PENDING = 5;
const PENDING_MINUTES = 10;
const limited = { access: "page", rateLimit: { max: 20, timeWindow: 60_000 } } as const;

type Failure = "refused" | "expired" | "unavailable" | "unverified" | "other-account";
const fail = (reply: FastifyReply, reason: Failure) => reply.redirect(`/sign-in-failed?reason=${reason}`);

/** People sign in with the company's account. What they may do is looked up for every request. */
export function createTeamAccess(db: Database, config: TeamConfig): Access {
  const { origin, issuer, clientSecret, roleClaim } = config;
  const provider = createProvider(config);
  const { seal, open } = createSeal(clientSecret);

  async function sessionOf({ headers, routeOptions }: FastifyRequest) {
    const token = readCookies(headers.cookie).get(SESSION_COOKIE);
    const isPolling = headers["x-polling"] !== undefined || routeOptions.config.access === "download";
    const session = token ? await readSession(db, token, { issuer, isPolling }) : undefined;
    // Sealed with a key outside the database, because a stolen database credential can write sessions.
    const sealed = await open(session?.idToken);
    const isOurs = sealed.token === token && sealed.email === session?.email && sealed.role === session?.roleFromClaim;
    return isOurs ? session : undefined;
  }

  const authenticate: Authenticate = async (request) => {
    const session = await sessionOf(request);
    if (session && roleClaim && session.isClaimOld) return "renew";
    const role = roleClaim ? session?.roleFromClaim : session?.listedRole;
    return session && role ? { actor: { name: session.email, via: "console" }, role, sessionId: session.id } : "ended";
  };

  async function signIn(query: string, pending: PendingLogin, last?: string): Promise<{ token: string } | Failure> {
    const { claims, idToken } = await provider.finish(query, pending);
    const email = verifiedAddress(claims, issuer);
    const roleFromClaim = roleClaim ? roleIn(claims[roleClaim]) : null;
    const hasRole = email && (roleClaim ? roleFromClaim : await readListedRole(db, email));
    if (hasRole) {
      const token = randomToken();
      const id_token = await seal({ idToken, token, email, role: roleFromClaim }, `${MAX_SESSION_HOURS}h`);
      const session = { issuer, subject: claims.sub, email, role_from_claim: roleFromClaim, id_token };
      if (await startSession(db, token, session, last)) return { token };
    }
    await recordRefusal(db, email ?? "an unverified account");
    if (!email) return "unverified";
    return hasRole ? "other-account" : "refused";
  }

  const routes: FastifyPluginAsyncZod = async (app) => {
    await app.register(rateLimit, { global: false });

    const withTo = { config: limited, schema: { querystring: z.object({ to: z._default(z.string(), "/") }) } };
    app.get("/sign-in", withTo, async ({ query, headers, log }, reply) => {
      // Another website can link to the console, but not start a sign-in.
      if (headers["sec-fetch-site"] === "cross-site") return reply.redirect("/");
      const started = await provider.start().catch((reason) => log.warn(reason, "Can't start a sign-in"));
      if (!started) return fail(reply, "unavailable");
      const { url, pending } = started;
      const older = [...readCookies(headers.cookie).keys()].filter((name) => name.startsWith(PENDING_COOKIE));
      // Browsers send the oldest cookie first.
      for (const name of older.slice(0, 1 - MAX_PENDING)) reply.header("set-cookie", expired(name));
      const sealed = await seal({ ...pending, to: ownUrl(query.to, origin) }, `${PENDING_MINUTES}m`);
      reply.header("set-cookie", cookie(PENDING_COOKIE + pending.state, sealed, PENDING_MINUTES * 60));
      return reply.redirect(url);
    });

    const withState = { config: limited, schema: { querystring: z.looseObject({ state: z.string() }) } };
    app.get("/sign-in/callback", withState, async ({ query: { state }, headers, url, log }, reply) => {
      const cookies = readCookies(headers.cookie);
      const pending = (await open(cookies.get(PENDING_COOKIE + state))) as PendingLogin & { to: string };
      if (pending.state !== state) return fail(reply, "expired");
      reply.header("set-cookie", expired(PENDING_COOKIE + state));
      const answer = url.slice(url.indexOf("?"));
      const outcome = await signIn(answer, pending, cookies.get(SESSION_COOKIE)).catch((reason) => {
        log.warn(reason, "Sign-in failed");
        return explainFailure(reason);
      });
      if (typeof outcome === "string") return fail(reply, outcome);
      reply.header("set-cookie", cookie(SESSION_COOKIE, outcome.token, MAX_SESSION_HOURS * 3600));
      return reply.redirect(pending.to);
    });

    // Needs no role, because signing out must also end sessions without a role or with an old claim.
    app.post("/api/sign-out", { config: { access: "page" } }, async (request, reply) => {
      const session = await sessionOf(request);
      const [sealed] = session ? await endSessions(db, { name: session.email, via: "console" }, session) : [];
      reply.header("set-cookie", expired(SESSION_COOKIE));
      const { idToken } = await open(sealed);
      return { location: (idToken && (await provider.endSessionUrl(String(idToken)))) || "/signed-out" };
    });
  };

  const names = { company: brand.name, provider: providerName(issuer) };
  return { mode: "team", names, origin, authenticate, routes };
}

function providerName(issuer: string): string {
  const { hostname } = new URL(issuer);
  if (isEntra(issuer)) return "Microsoft";
  return hostname === "accounts.google.com" ? "Google" : hostname;
}

/** Absolute, because a path like //example.com leads elsewhere. Short, because nginx allows 8 KB of cookies. */
function ownUrl(to: string, origin: string): string {
  const url = URL.parse(to, origin);
  const path = url?.origin === origin ? url.pathname + url.search : "/";
  return `${origin}${path.length < 700 ? path : "/"}`;
}
