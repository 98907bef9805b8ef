/** Returns a function that runs each key's tasks one at a time, or returns undefined if `max` are pending. */
export function oneAtATime(max: number) {
  const queues = new Map<string, { newest: Promise<unknown>; length: number }>();
  return <Result>(key: string, task: () => Promise<Result>): Promise<Result> | undefined => {
    const queue = queues.get(key) ?? { newest: Promise.resolve(), length: 0 };
    if (queue.length >= max) return undefined;
    queues.set(key, queue);
    queue.length += 1;
    const turn = queue.newest.then(task, task).finally(() => {
      queue.length -= 1;
      if (queue.length === 0) queues.delete(key);
    });
    queue.newest = turn;
    return turn;
  };
}
