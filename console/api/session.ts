import { randomBytes, timingSafeEqual } from "node:crypto";

export interface Session {
  /** Goes into the URL that the operator opens. */
  token: string;
  /** The session's id in exchange for the token, the first time only. */
  exchange(token: string): string | undefined;
  /** Whether an Authorization header carries the session's id. */
  isValid(authorization: string | undefined): boolean;
}

/** The token works once, so that a URL left in a terminal or in the browser's history opens nothing. */
export function createSession(): Session {
  const [token, id] = [randomToken(), randomToken()];
  let isExchanged = false;
  return {
    token,
    exchange(given) {
      if (isExchanged || !isEqual(given, token)) return undefined;
      isExchanged = true;
      return id;
    },
    isValid: (authorization = "") => isExchanged && isEqual(authorization, `Bearer ${id}`),
  };
}

function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
