/**
 * `npm run drill -- rehearsal [minutes]`: a launch as it is meant to go, at 100 sign-ups per second with mail: a wave
 * of invitations, a new version and a failover of PostgreSQL, while someone uses the console.
 */
import { latenciesOf } from "#tests/drills/faults/clients.ts";
import { hasPassed } from "#tests/drills/faults/drill.ts";
import { quantile } from "#tests/support/quantile.ts";
import { saveResults } from "#tests/support/results.ts";
import { runRehearsal } from "./run-rehearsal.ts";

const MAX_GROWTH_MB = 50;

const minutes = Number(process.argv[2] ?? 15);
const { ledger, acknowledged, lost, duplicated, failures, memory, screens, mails } = await runRehearsal(minutes);

console.log("Resident memory, in MB");
console.table(memory);
console.log("Console, in ms");
console.table(
  [...screens].map(([screen, latencies]) => ({
    screen,
    requests: latencies.length,
    p50: Math.round(quantile(latencies, 0.5)),
    p99: Math.round(quantile(latencies, 0.99)),
  })),
);
console.log("Mails", mails);
const results = {
  minutes,
  acknowledged,
  lost,
  duplicated,
  failed: failures.length,
  p99Ms: Math.round(quantile(latenciesOf(ledger), 0.99)),
  rssGrowthMb: Math.max(...memory.map(({ growthMb }) => growthMb)),
};
console.log(results, ...failures.slice(0, 5));
await saveResults("rehearsal", results);
const passed = hasPassed({ acknowledged, lost, duplicated, failures }) && results.rssGrowthMb <= MAX_GROWTH_MB;
console.log(passed ? "passed" : "FAILED");
process.exitCode = passed ? 0 : 1;
