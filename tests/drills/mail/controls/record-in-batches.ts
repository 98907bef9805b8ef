/** Preloaded by a negative control: a worker that takes fifty mails at a time, and records each one two seconds late. */
import { changeSource } from "#tests/drills/faults/controls/change-source.ts";

changeSource("worker/start.ts", [
  ["MAX_IN_FLIGHT = 5", "MAX_IN_FLIGHT = 50"],
  ["    const deadline =", "    await pause(2000);\n    const deadline ="],
]);
