/** Preloaded by a negative control: a worker that takes fifty mails at a time and records them after the last. */
import { changeSource } from "#tests/drills/faults/controls/change-source.ts";

changeSource("worker/deliver.ts", [
  [
    'if (outcome === "sent") return recordSent(db, delivery);',
    'if (outcome === "sent") return void (globalThis.unrecorded ??= []).push(() => recordSent(db, delivery));',
  ],
]);
changeSource("worker/start.ts", [
  ["{ perJobResults: true, pollingIntervalSeconds: POLL_SECONDS }", "{ perJobResults: true, batchSize: 50 }"],
  [
    "boss.notifyWorker(workerId);",
    "for (const record of (globalThis.unrecorded ?? []).splice(0)) await record();\n      boss.notifyWorker(workerId);",
  ],
]);
