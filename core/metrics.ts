import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** What is worth watching, in Prometheus' terms. Nothing here says anything about a visitor. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    joins: new Counter({
      name: "farwatch_joins_total",
      help: "Sign-ups by how they ended",
      labelNames: ["outcome"],
      registers,
    }),
    limited: new Counter({
      name: "farwatch_limited_total",
      help: "Requests turned away by a limit, by its bucket",
      labelNames: ["bucket"],
      registers,
    }),
    batchSize: new Histogram({
      name: "farwatch_batch_size",
      help: "Sign-ups written by one statement",
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000],
      registers,
    }),
    commitSeconds: new Histogram({
      name: "farwatch_commit_seconds",
      help: "How long a batch took to be written and flushed",
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
      registers,
    }),
    /** A number that is looked up when someone asks for it. */
    watch(name: string, help: string, value: () => number): void {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    },
    /** The process itself: event-loop delay, memory, garbage collection. */
    watchProcess: () => collectDefaultMetrics({ register: registry }),
  };
}
