import { existsSync, readFileSync } from "node:fs";
import { median } from "#tests/support/quantile.ts";

/** Resident memory by role; `at` runs from 0 to 1 during the run. */
export class Memory {
  readonly #samples = new Map<string, { at: number; mb: number }[]>();

  sample(at: number, pids: Record<string, number | undefined>): void {
    for (const [role, pid] of Object.entries(pids)) {
      const path = `/proc/${pid}/status`;
      const [, kb] = existsSync(path) ? (/^VmRSS:\s+(\d+)/m.exec(readFileSync(path, "utf8")) ?? []) : [];
      if (kb) this.#samples.set(role, [...(this.#samples.get(role) ?? []), { at, mb: Number(kb) / 1024 }]);
    }
  }

  /**
   * Growth in MB by role, from a quarter of the run, when everything is loaded, to `end`. Before `end`, no process may
   * be replaced. Compares medians over a tenth of the run, because a mail worker's memory varies by 80 MB between
   * garbage collections.
   */
  growth(end: number): Record<string, number> {
    const growths = [...this.#samples].map(([role, samples]) => {
      const medianFrom = (from: number) =>
        median(samples.filter(({ at }) => at >= from && at <= from + 0.1).map(({ mb }) => mb));
      return [role, Math.round(medianFrom(end - 0.1) - medianFrom(0.2))] as const;
    });
    return Object.fromEntries(growths);
  }
}
