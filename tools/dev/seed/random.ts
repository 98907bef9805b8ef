/** Pseudorandom choices, reproducible from a seed. */
export interface Random {
  /** From 0 up to but not including 1. */
  next(): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  pickBy<Item>(items: readonly Item[], weightOf: (item: Item, index: number) => number): Item;
  /** Exponentially distributed waiting times with this mean. */
  waitMs(meanMs: number): number;
}

export function seededRandom(seed: number): Random {
  let state = seed;
  // mulberry32
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  function pickBy<Item>(items: readonly Item[], weightOf: (item: Item, index: number) => number): Item {
    let left = next() * items.reduce((sum, item, index) => sum + weightOf(item, index), 0);
    const found = items.find((item, index) => {
      left -= weightOf(item, index);
      return left < 0;
    });
    return found ?? (items.at(-1) as Item);
  }
  return {
    next,
    chance: (probability) => next() < probability,
    pick: (items) => pickBy(items, () => 1),
    pickBy,
    waitMs: (meanMs) => -Math.log(1 - next()) * meanMs,
  };
}
