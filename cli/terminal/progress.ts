import { formatNumber } from "#core/format.ts";

const SHOW_AFTER_MS = 1000;
const REDRAW_INTERVAL_MS = 100;
const WIDTH = 30;

/** A bar on stderr for what takes longer than a second, and nothing at all where nobody looks. */
export function showProgress(total: number) {
  const began = performance.now();
  let done = 0;
  let drawnAt = 0;
  const isSeen = process.stderr.isTTY;
  return {
    advance(by: number) {
      done += by;
      const now = performance.now();
      if (!isSeen || now - began < SHOW_AFTER_MS || now - drawnAt < REDRAW_INTERVAL_MS) return;
      drawnAt = now;
      const part = Math.min(1, done / Math.max(1, total));
      const bar = "█".repeat(Math.round(part * WIDTH)).padEnd(WIDTH, "░");
      process.stderr.write(`\r${bar} ${Math.floor(part * 100)} %  ${formatNumber(done)}`);
    },
    end() {
      if (drawnAt > 0) process.stderr.write("\r\u001b[K");
    },
  };
}
