import { formatNumber } from "#core/text/format.ts";

const SHOW_AFTER_MS = 1000;
const REDRAW_INTERVAL_MS = 100;
const BAR_WIDTH = 30;

/** Shows a progress bar on stderr after a second, and only in a terminal. */
export function showProgress(total: number) {
  const startedAt = performance.now();
  let done = 0;
  let drawnAt = 0;
  const isTerminal = process.stderr.isTTY;
  return {
    advance(by: number) {
      done += by;
      const now = performance.now();
      if (!isTerminal || now - startedAt < SHOW_AFTER_MS || now - drawnAt < REDRAW_INTERVAL_MS) return;
      drawnAt = now;
      const fraction = Math.min(1, done / Math.max(1, total));
      const bar = "█".repeat(Math.round(fraction * BAR_WIDTH)).padEnd(BAR_WIDTH, "░");
      process.stderr.write(`\r${bar} ${Math.floor(fraction * 100)}%  ${formatNumber(done)}`);
    },
    end() {
      if (drawnAt > 0) process.stderr.write("\r\u001b[K");
    },
  };
}
