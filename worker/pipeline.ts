export interface Stages<Sent, Result> {
  /**
   * Runs after the previous mail was sent. Must await previousRecorded before sending: a crash may leave one mail
   * unrecorded, not two.
   */
  send(previousRecorded: Promise<unknown>): Promise<Sent>;
  /** Runs after send, while the next mail is being prepared. */
  record(sent: Sent): Promise<Result>;
}

/**
 * Returns a function that runs tasks one after another, each one's record overlapping with the preparation of the next.
 * A failed task doesn't block the next one.
 */
export function createPipeline(): <Sent, Result>(stages: Stages<Sent, Result>) => Promise<Result> {
  let lastSent: Promise<unknown> = Promise.resolve();
  let lastRecorded: Promise<unknown> = Promise.resolve();
  return ({ send, record }) => {
    const previousRecorded = lastRecorded;
    const sent = lastSent.then(() => send(previousRecorded));
    const result = sent.then(record);
    lastSent = sent.catch(() => {});
    lastRecorded = Promise.allSettled([previousRecorded, result]).then(() => {});
    return result;
  };
}
