import { explainRefusal } from "./refused-start.ts";

/** A program that runs until it is told to stop. */
export interface Service {
  /** Finishes what has begun. */
  stop(): Promise<void>;
}

/** Starts it, and stops it once: npm passes on a signal that the whole process group has had already. */
export async function runService(start: () => Promise<Service>): Promise<void> {
  let service: Service;
  try {
    service = await start();
  } catch (reason) {
    const refusal = explainRefusal(reason);
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
