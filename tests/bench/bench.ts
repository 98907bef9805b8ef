/** `npm run bench -- <name>` */
import { runNamed } from "#tests/support/run-named.ts";

runNamed("bench", [
  {
    name: "sign-ups",
    what: "sign-ups and reads per second, as ratios to bare PostgreSQL and Fastify; writes results/bench.json",
    minutes: 4,
    command: ["tests/bench/sign-ups.ts"],
    needsBuild: true,
  },
  {
    name: "growth",
    what: "the same at 10 thousand, 1 million and 10 million rows; writes results/growth.json",
    minutes: 6,
    command: ["tests/bench/growth.ts"],
    needsBuild: true,
  },
  {
    name: "mail",
    what: "sign-ups per second with mail on, as a ratio to mail off; writes results/bench-mail.json",
    minutes: 3,
    command: ["tests/bench/mail.ts"],
    needsBuild: true,
  },
  {
    name: "export",
    what: "the export of a million people beside COPY, and their report; writes results/operator.json",
    minutes: 2,
    command: ["tests/bench/export.ts"],
  },
  {
    name: "edge",
    what: "Varnish in front of a server: 200,000 reads, an outage, throughput beside bare Varnish (Debian: varnish, wrk)",
    minutes: 2,
    command: ["tests/bench/edge/edge.ts"],
    needsBuild: true,
  },
  {
    name: "weight",
    what: "bytes and requests of a first visit, against the budget; writes results/weight.json",
    minutes: 0.5,
    command: ["tests/bench/weight.ts"],
    needsBuild: true,
  },
  {
    name: "lighthouse",
    what: "Lighthouse, mobile and desktop, with and without WebGL; writes results/lighthouse.json",
    minutes: 6,
    command: ["tests/bench/lighthouse.ts"],
    needsBuild: true,
  },
  {
    name: "screenshots",
    what: "screenshots of every state at four widths, into results/shots/",
    minutes: 2,
    command: ["tests/bench/screenshots.ts"],
    needsBuild: true,
  },
]);
