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
  function pick<Item>(items: readonly Item[], weightOf: (item: Item, rank: number) => number = () => 1): Item {
    let left = next() * items.reduce((sum, item, rank) => sum + weightOf(item, rank), 0);
    const found = items.find((item, rank) => {
      left -= weightOf(item, rank);
      return left < 0;
    });
    return found ?? (items.at(-1) as Item);
  }
  return {
    next,
    chance: (probability: number) => next() < probability,
    pick,
    /** Picks the first item most often: twice as often as the second, three times as often as the third. */
    pickRanked: <Item>(items: readonly Item[]) => pick(items, (_, rank) => 1 / (rank + 1)),
    /** Exponentially distributed waiting times with this mean. */
    waitMs: (meanMs: number) => -Math.log(1 - next()) * meanMs,
  };
}
