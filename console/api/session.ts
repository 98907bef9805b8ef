import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Authenticate, Operator } from "./guard.ts";

export type Session = ReturnType<typeof createSession>;

/**
 * The only session of a console on the operator's own machine. The token is single-use, so that a URL left in a terminal
 * or in the browser's history opens nothing.
 */
export function createSession(user: Omit<Operator, "sessionId">) {
  const [token, id] = [randomToken(), randomToken()];
  const operator = { ...user, sessionId: "local" };
  let isExchanged = false;
  const authenticate: Authenticate = ({ headers: { authorization = "" }, routeOptions }) => {
    const isKnown = routeOptions.config.access !== undefined || isEqual(authorization, `Bearer ${id}`);
    return isExchanged && isKnown ? operator : undefined;
  };
  return {
    /** For the URL that the operator opens. */
    token,
    /** Exchanges the token for the session's id, once. */
    exchange(given: string): string | undefined {
      if (isExchanged || !isEqual(given, token)) return undefined;
      isExchanged = true;
      return id;
    },
    /** Requires the session's id in the Authorization header, except on routes where browsers can't send one. */
    authenticate,
  };
}

export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
