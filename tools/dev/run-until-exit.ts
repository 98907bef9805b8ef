import { explainFault } from "#core/config/startup-error.ts";

interface Part {
  stop(): Promise<unknown>;
}

/** Stops the part when the program exits, even if the part is still starting. Returns its argument. */
export type StopOnExit = <Started extends Part>(starting: Promise<Started>) => Promise<Started>;

/** Ctrl-C, kill, and a closed terminal. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs a program until a signal or an error, then stops its parts in reverse order and exits. Ignores further
 * signals, because npm forwards signals that the whole process group has already received.
 */
export async function runUntilExit(start: (stopOnExit: StopOnExit) => Promise<void>): Promise<never> {
  const parts: Promise<Part>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      for (const signal of SIGNALS) process.on(signal, () => resolve());
      // npm runs us in a shell, which dies on npm's signal without forwarding it; our parent process then changes.
      const parent = process.ppid;
      if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && resolve(), 500).unref();
      // Also catches unhandled rejections, including those while the parts are stopping.
      process.on("uncaughtException", reject);
      start((starting) => {
        parts.push(starting);
        return starting;
      }).catch(reject);
    });
  } catch (reason) {
    console.error(explainFault(reason) ?? reason);
    process.exitCode = 1;
  }
  for (let part = parts.pop(); part; part = parts.pop()) {
    // A failure to start was logged above, and a failure to stop must not keep the other parts running.
    await part.then((started) => started.stop()).catch(() => {});
  }
  process.exit();
}
