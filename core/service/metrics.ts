import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  return {
    registry,
    joins: counter("farwatch_joins_total", "Sign-ups by outcome", ["outcome"]),
    limited: counter("farwatch_limited_total", "Requests rejected by a rate limit, by bucket", ["bucket"]),
    responses: counter("farwatch_responses_total", "Responses by route and status", ["route", "status"]),
    batchSize: new Histogram({
      name: "farwatch_batch_size",
      help: "Sign-ups per batch",
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000],
      registers,
    }),
    commitSeconds: new Histogram({
      name: "farwatch_commit_seconds",
      help: "Time to write and commit a batch",
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
      registers,
    }),
    watch(name: string, help: string, value: () => number | Promise<number>): void {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await value());
        },
      });
    },
    watchProcess: () => collectDefaultMetrics({ register: registry }),
  };
}
