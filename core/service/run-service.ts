import { explainStartupError } from "./startup-error.ts";

/** A program that runs until it is stopped. */
export interface Service {
  /** Graceful shutdown: finishes the work in progress. */
  stop(): Promise<void>;
}

/** Starts the service, and ignores a second signal, because npm forwards one that the whole group already received. */
export async function runService(start: () => Promise<Service>): Promise<void> {
  let service: Service;
  try {
    service = await start();
  } catch (reason) {
    const refusal = explainStartupError(reason);
    if (!refusal) throw reason;
    process.stderr.write(`${refusal}\n`);
    process.exit(1);
  }
  let state: "running" | "stopping" = "running";
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      if (state === "stopping") return;
      state = "stopping";
      service.stop();
    });
  }
}
