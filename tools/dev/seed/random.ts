export type Random = ReturnType<typeof seededRandom>;

/** Pseudorandom choices, reproducible from a seed. */
export function seededRandom(seed: number) {
  let state = seed;
  /** From 0 up to but not including 1, by mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    chance: (probability: number) => next() < probability,
    /** Squared, so that the first items are the most frequent. */
    pick: <Item>(items: readonly Item[]) => items[Math.floor(next() ** 2 * items.length)] as Item,
    /** Exponentially distributed waiting times with this mean. */
    waitMs: (meanMs: number) => Math.ceil(-Math.log(1 - next()) * meanMs),
  };
}
