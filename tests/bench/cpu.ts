/** `npm run bench -- cpu`: only the CPU time of `sign-ups`, for a machine that is busy with other things. */
import { readFile } from "node:fs/promises";
import { saveResults } from "#tests/support/results.ts";
import { createBareTable } from "./bare-postgres.ts";
import { compareCpuTime } from "./cpu-time.ts";
import { startService } from "./servers.ts";

const service = await startService();
await createBareTable(service.postgres.url);
const cpu = await compareCpuTime(service);
await service.stop();
const earlier = await readFile("results/bench.json", "utf8").catch(() => "{}");
await saveResults("bench", { ...JSON.parse(earlier), cpu });
