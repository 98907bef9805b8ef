import { explainFault } from "#core/config/startup-error.ts";

export interface Service {
  /** Graceful shutdown: finishes the work in progress. */
  stop(): Promise<void>;
}

/**
 * Runs the service until the first signal. npm forwards a signal that the whole process group has already received, so
 * a second one is ignored.
 */
export async function runService(start: () => Promise<Service>): Promise<void> {
  let service: Service | undefined;
  let state: "running" | "stopping" = "running";
  // Registered before the start, because a signal without a handler would kill a service that just said it started.
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      if (state === "stopping") return;
      state = "stopping";
      if (!service) process.exit();
      // Without exit(), a connection to a hung database would keep the process alive.
      service.stop().then(() => process.exit());
    });
  }
  try {
    service = await start();
  } catch (reason) {
    const refusal = explainFault(reason);
    if (!refusal) throw reason;
    process.stderr.write(`${refusal}\n`);
    process.exit(1);
  }
}
