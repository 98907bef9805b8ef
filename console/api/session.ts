import { randomBytes, timingSafeEqual } from "node:crypto";

export type Session = ReturnType<typeof createSession>;

const TICKET_LIFETIME_MS = 30_000;

/** The token is single-use, so that a URL left in a terminal or in the browser's history opens nothing. */
export function createSession() {
  const [token, id] = [randomToken(), randomToken()];
  let isExchanged = false;
  const tickets = new Set<string>();
  return {
    /** For the URL that the operator opens. */
    token,
    /** Exchanges the token for the session's id, once. */
    exchange(given: string): string | undefined {
      if (isExchanged || !isEqual(given, token)) return undefined;
      isExchanged = true;
      return id;
    },
    /** Whether an Authorization header carries the session's id. */
    isValid: (authorization = "") => isExchanged && isEqual(authorization, `Bearer ${id}`),
    /** Issues a short-lived ticket for one request without the header, which a browser's download can't send. */
    issueTicket() {
      const ticket = randomToken();
      tickets.add(ticket);
      setTimeout(() => tickets.delete(ticket), TICKET_LIFETIME_MS).unref();
      return ticket;
    },
    /** Whether the ticket is valid. Each works once. */
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
