import { randomBytes, timingSafeEqual } from "node:crypto";

export type Session = ReturnType<typeof createSession>;

const TICKET_LIFETIME_MS = 30_000;

/** The token works once, so that a URL left in a terminal or in the browser's history opens nothing. */
export function createSession() {
  const [token, id] = [randomToken(), randomToken()];
  let isExchanged = false;
  const tickets = new Set<string>();
  return {
    /** Goes into the URL that the operator opens. */
    token,
    /** The session's id in exchange for the token, the first time only. */
    exchange(given: string): string | undefined {
      if (isExchanged || !isEqual(given, token)) return undefined;
      isExchanged = true;
      return id;
    },
    /** Whether an Authorization header carries the session's id. */
    isValid: (authorization = "") => isExchanged && isEqual(authorization, `Bearer ${id}`),
    /** A short-lived ticket for one request without the header, because a browser's download can't send it. */
    issueTicket() {
      const ticket = randomToken();
      tickets.add(ticket);
      setTimeout(() => tickets.delete(ticket), TICKET_LIFETIME_MS).unref();
      return ticket;
    },
    /** Whether the ticket is valid, the first time only. */
    redeem: (ticket = "") => tickets.delete(ticket),
  };
}

function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
