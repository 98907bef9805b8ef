import { faultOf, isOutage } from "#core/database/faults.ts";

export interface GroupOptions {
  maxBatchSize: number;
  /** Backpressure: a full queue refuses the next item, which would wait longer than a client does. */
  maxQueueLength: number;
}

type Queued<Item, Outcome> = { item: Item } & PromiseWithResolvers<Outcome>;

/**
 * Items that arrive while a batch is being written form the next batch. There is no timer: a lone item is written
 * immediately, and under load many share the cost of one write. One batch at a time, because two were slower: each was
 * half as large, and they waited for each other's locks on companies.
 *
 * `submit` returns undefined if the queue is full.
 */
export function groupCommit<Item, Outcome>(
  write: (items: Item[]) => Promise<Outcome[]>,
  { maxBatchSize, maxQueueLength }: GroupOptions,
): { submit: (item: Item) => Promise<Outcome> | undefined; queueLength: () => number } {
  const queue: Queued<Item, Outcome>[] = [];
  let state: "idle" | "gathering" | "writing" = "idle";

  /** Waits for setImmediate, so that the batch includes items from other sockets in this turn of the event loop. */
  function gather(): void {
    state = "gathering";
    setImmediate(writeNext);
  }

  async function writeNext(): Promise<void> {
    state = "writing";
    await settle(queue.splice(0, maxBatchSize));
    state = "idle";
    if (queue.length > 0) gather();
  }

  async function settle(batch: Queued<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await write(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (reason) {
      // A single bad item may have failed the batch, so this bisects the batch down to that item.
      if (batch.length > 1 && faultOf(reason) === "bad data") {
        const half = batch.length >> 1;
        await settle(batch.slice(0, half));
        await settle(batch.slice(half));
        return;
      }
      // In an outage the next batch would fail too, so the whole queue fails now instead of after another timeout.
      const failed = isOutage(reason) ? batch.concat(queue.splice(0)) : batch;
      for (const { reject } of failed) reject(reason);
    }
  }

  return {
    submit(item) {
      if (queue.length >= maxQueueLength) return undefined;
      const queued = { item, ...Promise.withResolvers<Outcome>() };
      queue.push(queued);
      if (state === "idle") gather();
      return queued.promise;
    },
    queueLength: () => queue.length,
  };
}
