import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/sign-up.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

/** The clients' own record of every sign-up they sent and every response they got. */
export interface Ledger {
  /** Addresses, each added after its 201, or after the 409 for a retry without an idempotency key. */
  acknowledged: Set<string>;
  /** Addresses, each added before its request was sent. */
  sent: Set<string>;
  /** How many requests ended with each status; 0 stands for a broken connection. */
  statuses: Map<number, number>;
  /** Retries that got a 409 although they had the idempotency key of their first attempt. */
  refusedRetries: number;
  /** One entry per response. */
  latenciesMs: number[];
  /** Those of the sign-ups that were acknowledged. */
  acknowledgedMs: number[];
  /** When each of these was acknowledged, by performance.now(). */
  acknowledgedAt: number[];
  /** When each other response arrived. */
  failedAt: number[];
  /** When the request was sent, for every client that has no response yet. */
  waitingSince: Map<number, number>;
}

export interface Clients {
  ledger: Ledger;
  /** Starts more clients. */
  add(count: number): void;
  stop(): Promise<Ledger>;
}

export interface ClientOptions {
  count?: number;
  /** Whether a client reuses its connection, or opens a new one for every sign-up. */
  keepAlive?: boolean;
  /**
   * Whether a client retries a sign-up that failed. Every other client then has no idempotency key, and its 409 says
   * that it is on the list.
   */
  retries?: "none" | "until acknowledged";
  /** How long a client pauses after a failed request. */
  pauseMs?: number;
  /** Sign-ups by all clients together; as many as the servers accept by default. */
  perSecond?: number;
}

/** Starts clients that send one sign-up after another, round-robin to the given origins, until they are stopped. */
export function startClients(
  origins: string[],
  {
    count = 32,
    keepAlive = true,
    retries = "none",
    pauseMs = 20,
    perSecond = Number.POSITIVE_INFINITY,
  }: ClientOptions = {},
): Clients {
  const ledger: Ledger = {
    acknowledged: new Set(),
    sent: new Set(),
    statuses: new Map(),
    refusedRetries: 0,
    latenciesMs: [],
    acknowledgedMs: [],
    acknowledgedAt: [],
    failedAt: [],
    waitingSince: new Map(),
  };
  const agent = new Agent({ keepAlive, maxFreeSockets: 10_000 });
  const running: Promise<void>[] = [];
  const run = randomBytes(4).toString("hex");
  const intervalMs = (1000 * count) / perSecond;
  let isStopping = false;

  async function signUpRepeatedly(client: number): Promise<void> {
    let email = "";
    let key: string | undefined;
    let nextAt = performance.now() + (client / count) * intervalMs;
    for (let attempt = 0, isSettled = true; !isStopping; attempt += 1) {
      if (isSettled) {
        if (intervalMs > 0) await pause(Math.max(0, nextAt - performance.now()));
        // Sign-ups that an outage has delayed aren't made up for: that would be another load.
        nextAt = Math.max(nextAt, performance.now()) + intervalMs;
        email = `visitor${client}.${attempt}.${run}@example.com`;
        key = retries === "none" || client % 2 ? randomBytes(16).toString("hex") : undefined;
        ledger.sent.add(email);
      }
      const origin = origins[(client + attempt) % origins.length] as string;
      const startedAt = performance.now();
      ledger.waitingSince.set(client, startedAt);
      const status = await sendSignUp(agent, origin, aSignUp({ email, company: `Company ${email.length}` }), key);
      ledger.waitingSince.delete(client);
      const latencyMs = performance.now() - startedAt;
      ledger.latenciesMs.push(latencyMs);
      ledger.statuses.set(status, (ledger.statuses.get(status) ?? 0) + 1);
      if (status === 409 && key) ledger.refusedRetries += 1;
      const isAcknowledged = status === 201 || (status === 409 && !key);
      if (isAcknowledged) {
        ledger.acknowledged.add(email);
        ledger.acknowledgedMs.push(latencyMs);
        ledger.acknowledgedAt.push(startedAt + latencyMs);
      } else {
        ledger.failedAt.push(startedAt + latencyMs);
        await pause(pauseMs);
      }
      isSettled = isAcknowledged || retries === "none";
    }
  }

  const add = (more: number) => {
    for (let added = 0; added < more; added += 1) running.push(signUpRepeatedly(running.length));
  };
  add(count);
  return {
    ledger,
    add,
    async stop() {
      isStopping = true;
      await Promise.all(running);
      agent.destroy();
      return ledger;
    },
  };
}

/** The status of the response, or 0 if the connection broke. */
function sendSignUp(agent: Agent, origin: string, signUp: object, key: string | undefined): Promise<number> {
  const body = JSON.stringify(signUp);
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...(key && { [IDEMPOTENCY_KEY_HEADER]: key }),
  };
  return new Promise((resolve) => {
    const sending = request(origin + WAITLIST_PATH, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", () => resolve(0));
    });
    sending.on("error", () => resolve(0));
    sending.setTimeout(30_000, () => sending.destroy());
    sending.end(body);
  });
}

/** How long each request took, or has taken so far: one that hangs must not be missing from the latencies. */
export function latenciesOf({ latenciesMs, waitingSince }: Ledger): number[] {
  const now = performance.now();
  return [...latenciesMs, ...waitingSince.values().map((sentAt) => now - sentAt)];
}

/** How many requests ended with a status other than these. */
export function countUnexpected({ statuses }: Ledger, expected: number[]): number {
  return [...statuses].reduce((sum, [status, times]) => (expected.includes(status) ? sum : sum + times), 0);
}
