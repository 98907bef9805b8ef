/** Something that a drill has started. */
interface Part {
  stop(): unknown;
}

/** Stops the part at the end of the drill, even if the part is still starting. Returns its argument. */
export type Keep = <Started extends Part>(starting: Started | Promise<Started>) => Promise<Started>;

/** Ctrl-C, kill, and a closed terminal. They don't reach PostgreSQL, which has its own process group. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Stops everything that a drill has started when it ends or is interrupted. */
export function collectParts() {
  const started: Promise<Part>[] = [];
  let stopped: Promise<void> | undefined;

  async function stopInReverse(): Promise<void> {
    for (let starting = started.pop(); starting; starting = started.pop()) {
      const part = await starting.catch(() => undefined);
      try {
        await part?.stop();
      } catch (reason) {
        // A part that fails to stop must not keep the others running.
        console.error(reason);
      }
    }
    for (const signal of SIGNALS) process.off(signal, exit);
    clearInterval(watch);
  }
  function stop(): Promise<void> {
    stopped ??= stopInReverse();
    return stopped;
  }
  const exit = () => void stop().then(() => process.exit(130));
  for (const signal of SIGNALS) process.on(signal, exit);
  // A killed parent, such as npm's shell, doesn't forward the signal, but our parent process changes.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && exit(), 500);

  const keep: Keep = async (starting) => {
    const part = Promise.resolve(starting);
    started.push(part);
    return part;
  };
  return { keep, stop };
}
