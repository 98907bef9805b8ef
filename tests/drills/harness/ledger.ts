import { until } from "./until.ts";

/** The response to one sign-up. */
interface Entry {
  /** When the response arrived, by performance.now(). */
  at: number;
  ms: number;
  /** 201 if the person is on the list, even if a retry without an idempotency key got a 409; 0 without a response. */
  status: number;
}

/** The clients' own record of requests and responses. */
export class Ledger {
  /** The addresses that must be on the list, as far as the clients know. */
  readonly acknowledged = new Set<string>();
  /** When each client that waits for a response sent its request. */
  readonly waitingSince = new Map<number, number>();
  entries: Entry[] = [];

  /** Forgets the responses, but not the acknowledged addresses. */
  clear(): void {
    this.entries = [];
  }

  count(status: number): number {
    return this.entries.filter((entry) => entry.status === status).length;
  }

  /** The unexpected statuses, such as "502, 502", or "" if none. */
  others(...expected: number[]): string {
    const others = this.entries.filter(({ status }) => !expected.includes(status)).map(({ status }) => status);
    return others.length > 10 ? `${others.slice(0, 10)} and ${others.length - 10} more` : others.join(", ");
  }

  /** How long each request took, or has taken so far, so that a hanging one counts. */
  latencies(): number[] {
    const now = performance.now();
    return [...this.entries.map(({ ms }) => ms), ...this.waitingSince.values().map((sentAt) => now - sentAt)];
  }

  /** The longest gap between acknowledged sign-ups since a time, in milliseconds. */
  longestGapMs(since: number): number {
    const times = this.entries.filter(({ at, status }) => status === 201 && at > since).map(({ at }) => at);
    const all = [since, ...times, performance.now()];
    return Math.round(Math.max(...all.slice(1).map((at, index) => at - (all[index] ?? at))));
  }

  /** Waits for this many more acknowledged sign-ups, and returns the milliseconds it took. */
  async untilAcknowledged(more = 1): Promise<number> {
    const startedAt = performance.now();
    const enough = this.acknowledged.size + more;
    await until("a sign-up is acknowledged", () => this.acknowledged.size >= enough);
    return performance.now() - startedAt;
  }
}
