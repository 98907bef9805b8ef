import { until } from "./until.ts";

/** The response to one sign-up. */
interface Entry {
  /** When it arrived, by performance.now(). */
  at: number;
  ms: number;
  /** 201 if the person is on the list now, also for the 409 to a retry without an idempotency key; 0 if none came. */
  status: number;
}

/** The clients' own record of what they sent and got. */
export class Ledger {
  /** The addresses that are on the list, as far as their clients know. */
  readonly acknowledged = new Set<string>();
  /** When the request was sent, for every client that has no response yet. */
  readonly waitingSince = new Map<number, number>();
  entries: Entry[] = [];

  /** Forgets the responses, but not who was acknowledged. */
  clear(): void {
    this.entries = [];
  }

  count(status: number): number {
    return this.entries.filter((entry) => entry.status === status).length;
  }

  /** Responses with a status other than these, such as "502, 502"; empty if there are none. */
  others(...expected: number[]): string {
    const others = this.entries.filter(({ status }) => !expected.includes(status)).map(({ status }) => status);
    return others.length > 10 ? `${others.slice(0, 10)} and ${others.length - 10} more` : others.join(", ");
  }

  /** How long each request took, or has taken so far: one that hangs must not be missing. */
  latencies(): number[] {
    const now = performance.now();
    return [...this.entries.map(({ ms }) => ms), ...this.waitingSince.values().map((sentAt) => now - sentAt)];
  }

  /** The longest time without an acknowledged sign-up since then, in milliseconds. */
  longestGapMs(since: number): number {
    const times = this.entries.filter(({ at, status }) => status === 201 && at > since).map(({ at }) => at);
    const all = [since, ...times, performance.now()];
    return Math.round(Math.max(...all.slice(1).map((at, index) => at - (all[index] ?? at))));
  }

  /** Waits for this many more acknowledged sign-ups, and returns how long that took, in milliseconds. */
  async untilAcknowledged(more = 1): Promise<number> {
    const startedAt = performance.now();
    const enough = this.acknowledged.size + more;
    await until("a sign-up is acknowledged", () => this.acknowledged.size >= enough);
    return performance.now() - startedAt;
  }
}
