/** Returns a function that runs the tasks of each key one after the other. */
export function oneAtATime() {
  const newest = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    const turn = (newest.get(key) ?? Promise.resolve()).then(task, task);
    newest.set(key, turn);
    try {
      return await turn;
    } finally {
      if (newest.get(key) === turn) newest.delete(key);
    }
  };
}
