export interface Turn<Sent, Result> {
  /** Starts once the task before has sent its mail. It sends its own only after `recorded`. */
  send(recorded: Promise<unknown>): Promise<Sent>;
  /** Starts once it is sent, while the next one prepares. */
  record(sent: Sent): Promise<Result>;
}

/**
 * Returns a function that runs tasks one after another, each one's record overlapping with the preparation of the next.
 * A failed one doesn't keep the next from its turn.
 */
export function createTurns(): <Sent, Result>(turn: Turn<Sent, Result>) => Promise<Result> {
  let lastSent: Promise<unknown> = Promise.resolve();
  let lastRecorded: Promise<unknown> = Promise.resolve();
  return ({ send, record }) => {
    const recorded = lastRecorded;
    const sent = lastSent.then(() => send(recorded));
    const result = sent.then(record);
    lastSent = sent.catch(() => {});
    lastRecorded = Promise.allSettled([recorded, result]).then(() => {});
    return result;
  };
}
