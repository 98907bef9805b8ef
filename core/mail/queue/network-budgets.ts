import { NO_NETWORK } from "#core/people/origin.ts";

/** Enough for an office or a campus; a bot there can email few strangers. */
const MAILS_PER_HOUR = 250;
const HOUR_MS = 3_600_000;
const MS_PER_MAIL = HOUR_MS / MAILS_PER_HOUR;

export type NetworkBudgets = ReturnType<typeof createNetworkBudgets>;

/**
 * Limits the mails that each network causes: an hour's worth at once, then one every 14 seconds. Kept in memory, so
 * that no network is stored for longer. Each worker has its own budgets, and a restart begins them again.
 */
export function createNetworkBudgets(now: () => number) {
  /** The time at which each network's whole budget is available again. */
  const refilledAt = new Map<number, number>();
  return {
    spend(network: number): void {
      if (network === NO_NETWORK) return;
      refilledAt.set(network, Math.max(refilledAt.get(network) ?? 0, now()) + MS_PER_MAIL);
    },
    /** The networks that have used their budget up. Forgets those whose whole budget is available. */
    used(): number[] {
      const time = now();
      for (const [network, at] of refilledAt) if (at <= time) refilledAt.delete(network);
      return [...refilledAt].filter(([, at]) => at + MS_PER_MAIL > time + HOUR_MS).map(([network]) => network);
    },
  };
}
