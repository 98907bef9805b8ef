import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });
  return {
    registry,
    joins: counter("farwatch_joins_total", "Sign-ups by outcome", ["outcome"]),
    confirmed: counter("farwatch_confirmed_total", "People who confirmed their address"),
    views: counter("farwatch_views_total", "Page views"),
    limited: counter("farwatch_limited_total", "Requests rejected by a rate limit, by bucket", ["bucket"]),
    responses: counter("farwatch_responses_total", "Responses by route and status", ["route", "status"]),
    batchSize: histogram("farwatch_batch_size", "Sign-ups per batch", [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]),
    commitSeconds: histogram(
      "farwatch_commit_seconds",
      "Time to write and commit a batch",
      [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
    ),
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
