export interface GroupOptions {
  maxBatchSize: number;
  /** Past this many the next one is turned away, so that nobody waits for longer than they would for an answer. */
  maxQueueLength: number;
  /** Whether one item may be what failed its batch; then the halves are tried, down to that one. */
  isItemFault: (reason: unknown) => boolean;
  /** Whether the next batch would fail too; then those who wait hear it at once, instead of after another time-out. */
  isOutage: (reason: unknown) => boolean;
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (reason: unknown) => void;
}

/**
 * Items that arrive while a batch is being written form the next batch. There is no timer: a lone item is written at
 * once, and a crowd shares the cost of one write. One batch at a time, because two were slower: each was half as large,
 * and they waited for each other's companies.
 *
 * `submit` takes an item, or answers undefined where too many wait already.
 */
export function groupCommit<Item, Outcome>(
  write: (items: Item[]) => Promise<Outcome[]>,
  { maxBatchSize, maxQueueLength, isItemFault, isOutage }: GroupOptions,
): { submit: (item: Item) => Promise<Outcome> | undefined; waiting: () => number } {
  const waiting: Waiting<Item, Outcome>[] = [];
  let state: "idle" | "gathering" | "writing" = "idle";

  /** Not at once, but when what this turn of the event loop reads from other sockets is in the batch too. */
  function gather(): void {
    state = "gathering";
    setImmediate(writeWaiting);
  }

  async function writeWaiting(): Promise<void> {
    state = "writing";
    await settle(waiting.splice(0, maxBatchSize));
    state = "idle";
    if (waiting.length > 0) gather();
  }

  async function settle(batch: Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await write(batch.map(({ item }) => item));
      for (const [place, { resolve }] of batch.entries()) resolve(outcomes[place] as Outcome);
    } catch (reason) {
      if (batch.length > 1 && isItemFault(reason)) {
        const half = batch.length >> 1;
        await settle(batch.slice(0, half));
        await settle(batch.slice(half));
        return;
      }
      const failed = isOutage(reason) ? batch.concat(waiting.splice(0)) : batch;
      for (const { reject } of failed) reject(reason);
    }
  }

  return {
    submit(item) {
      if (waiting.length >= maxQueueLength) return undefined;
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (state === "idle") gather();
      });
    },
    waiting: () => waiting.length,
  };
}
