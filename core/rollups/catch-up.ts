import type { Database } from "#core/database/connect.ts";
import { readPosition, rollUp } from "./roll-up.ts";

/** Reading these from the list takes milliseconds, so a console on a quiet list writes nothing. */
const MAX_PENDING = 1000;

export interface CatchUp {
  /** Starts to roll up in the background, unless that is going on or little is pending. */
  start(): void;
  stop(): Promise<void>;
}

/** For a process that reads the rollups often: it doesn't wait for the servers, which take their time. */
export function createCatchUp(db: Database): CatchUp {
  let state: "idle" | "running" | "stopped" = "idle";
  let running = Promise.resolve();

  async function run(): Promise<void> {
    const position = await readPosition(db);
    if (!position || Number(position.newest) - Number(position.from) + position.changes < MAX_PENDING) return;
    while (state === "running" && (await rollUp(db)) === "behind");
  }

  return {
    start() {
      if (state !== "idle") return;
      state = "running";
      running = run()
        // Whatever went wrong, the overview says how many people it hasn't counted, and the next reading tries again.
        .catch(() => {})
        .finally(() => {
          if (state === "running") state = "idle";
        });
    },
    async stop() {
      state = "stopped";
      await running;
    },
  };
}
