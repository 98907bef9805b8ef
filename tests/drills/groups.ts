import type { Drill } from "./harness/drill.ts";

/** Loaded on demand, because some groups import a browser. */
export const GROUPS: Record<string, () => Promise<Drill[]>> = {
  faults: async () => (await import("./faults/faults.ts")).faults,
  bulk: async () => {
    const { onNewList, onMillion } = await import("./bulk/bulk.ts");
    return [onNewList, onMillion];
  },
  upgrade: async () => [(await import("./faults/deploy.ts")).upgrade],
  mail: async () => [(await import("./mail/mail.ts")).killWorkers, (await import("./mail/reminders.ts")).killReminders],
  events: async () => [
    (await import("./events/fuzz-events.ts")).fuzzEvents,
    (await import("./events/pause-itself.ts")).pauseItself,
  ],
  ha: async () => [(await import("./ha/ha.ts")).failOverByPatroni],
  machine: async () => [(await import("./machine/machine.ts")).installation],
  image: async () => [(await import("./image/image.ts")).image],
  compose: async () => [(await import("./compose/compose.ts")).compose],
  fuzz: async () => [(await import("./fuzz/fuzz.ts")).fuzzing],
};
