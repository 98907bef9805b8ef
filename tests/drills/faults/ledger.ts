import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/sign-up.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

/** What a crowd of visitors knows: whom it was told "you're in", and how all its tries ended. */
export interface Ledger {
  /** Addresses, each written down only after its 201. */
  acknowledged: Set<string>;
  /** Addresses, each written down before it was sent. */
  sent: Set<string>;
  /** How often each status came; 0 where a connection broke. */
  statuses: Map<number, number>;
  /** How long each try took. */
  waitedMs: number[];
}

export interface Crowd {
  ledger: Ledger;
  /** That many visitors more. */
  grow(count: number): void;
  stop(): Promise<Ledger>;
}

export interface CrowdOptions {
  count?: number;
  /** Whether a visitor stays connected, or comes anew with every sign-up. */
  keepAlive?: boolean;
}

/** Visitors who sign up one after the other, each at the next of the given origins, until they are told to stop. */
export function startCrowd(origins: string[], { count = 32, keepAlive = true }: CrowdOptions = {}): Crowd {
  const ledger: Ledger = { acknowledged: new Set(), sent: new Set(), statuses: new Map(), waitedMs: [] };
  const agent = new Agent({ keepAlive, maxFreeSockets: 10_000 });
  const visits: Promise<void>[] = [];
  const run = randomBytes(4).toString("hex");
  let isOver = false;

  async function visit(visitor: number): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      const email = `visitor${visitor}.${turn}.${run}@example.com`;
      const origin = origins[(visitor + turn) % origins.length] as string;
      ledger.sent.add(email);
      const began = performance.now();
      const status = await join(agent, origin, email);
      ledger.waitedMs.push(performance.now() - began);
      ledger.statuses.set(status, (ledger.statuses.get(status) ?? 0) + 1);
      if (status === 201) ledger.acknowledged.add(email);
      else await pause(20);
    }
  }

  const grow = (more: number) => {
    for (let arrived = 0; arrived < more; arrived += 1) visits.push(visit(visits.length));
  };
  grow(count);
  return {
    ledger,
    grow,
    async stop() {
      isOver = true;
      await Promise.all(visits);
      agent.destroy();
      return ledger;
    },
  };
}

/** The status of one sign-up, or 0 where the connection broke. */
function join(agent: Agent, origin: string, email: string): Promise<number> {
  const body = JSON.stringify(aSignUp({ email, company: `Company ${email.length}` }));
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    [IDEMPOTENCY_KEY_HEADER]: randomBytes(16).toString("hex"),
  };
  return new Promise((resolve) => {
    const sending = request(origin + WAITLIST_PATH, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
      answer.on("error", () => resolve(0));
    });
    sending.on("error", () => resolve(0));
    sending.setTimeout(30_000, () => sending.destroy());
    sending.end(body);
  });
}

/** Tries that ended otherwise than by one of these. */
export function endedOtherwise({ statuses }: Ledger, expected: number[]): number {
  return [...statuses].reduce((sum, [status, times]) => (expected.includes(status) ? sum : sum + times), 0);
}
