/** `npm run bench -- <name>` */
import { runNamed } from "#tests/support/run-named.ts";

runNamed("bench", [
  {
    name: "sign-ups",
    description: "throughput, latency and CPU time, relative to bare PostgreSQL and Fastify; writes results/bench.json",
    minutes: 5,
    command: ["tests/bench/sign-ups.ts"],
    needsBuild: true,
  },
  {
    name: "compare",
    description: "throughput and CPU time of sign-ups, relative to another commit's; writes results/compare.json",
    minutes: 3,
    command: ["tests/bench/compare.ts"],
    needsBuild: true,
  },
  {
    name: "console",
    description: "the console's screens on 10 million people, or a given number; writes results/console.json",
    minutes: 12,
    command: ["tests/bench/console/console.ts"],
    needsBuild: true,
  },
  {
    name: "phone",
    description: "first seconds on a slow phone, relative to another commit's page; writes results/phone.json",
    minutes: 4,
    command: ["tests/bench/phone.ts"],
    needsBuild: true,
  },
  {
    name: "weight",
    description: "bytes and requests of a first visit, compared with the budget; writes results/weight.json",
    minutes: 0.5,
    command: ["tests/bench/weight.ts"],
    needsBuild: true,
  },
]);
