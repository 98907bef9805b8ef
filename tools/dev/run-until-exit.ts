interface Part {
  stop(): Promise<unknown>;
}

/** Hands back what is starting, and stops it when the program ends, also if it ends before the start is over. */
export type Keep = <Started extends Part>(starting: Promise<Started>) => Promise<Started>;

/** Ctrl-C, kill, and a terminal that was closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Starts a program and runs it until a signal or an error ends it. Then every part that it kept is stopped, the last one
 * first, and the process exits. Further signals change nothing: npm passes on those that the whole group already got.
 */
export async function runUntilEnded(start: (keep: Keep) => Promise<void>): Promise<never> {
  const parts: Promise<Part>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      for (const signal of SIGNALS) process.on(signal, () => resolve());
      // The shell that npm runs us in dies of a signal that npm got, and doesn't pass it on.
      const parent = process.ppid;
      if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && resolve(), 500).unref();
      // Also takes unhandled rejections, and those that come while the parts stop.
      process.on("uncaughtException", reject);
      start((starting) => {
        parts.push(starting);
        return starting;
      }).catch(reject);
    });
  } catch (reason) {
    console.error(reason);
    process.exitCode = 1;
  }
  for (let part = parts.pop(); part; part = parts.pop()) {
    // A part that failed to start has said so above, and one that fails to stop must not keep the others running.
    await part.then((started) => started.stop()).catch(() => {});
  }
  process.exit();
}
