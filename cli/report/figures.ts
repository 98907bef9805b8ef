/** How the report writes numbers and times. */

const WHOLE = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { notation: "compact" });
const PERCENT = new Intl.NumberFormat("en", { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

export const whole = (count: number) => WHOLE.format(count);
export const short = (count: number) => SHORT.format(count);

export function percent(part: number, all: number): string {
  const share = all && part / all;
  return share > 0 && share < 0.001 ? "<0.1%" : PERCENT.format(share);
}

const inUtc = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
  return (at: Date) => format.format(at);
};

export const day = inUtc({ day: "numeric", month: "short", year: "numeric" });
export const hour = inUtc({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
export const moment = inUtc({ dateStyle: "long", timeStyle: "short" });

const clock = inUtc({ hour: "2-digit", minute: "2-digit" });
const dayOfYear = inUtc({ day: "numeric", month: "short" });
const year = inUtc({ year: "numeric" });

/** For an axis: only what has changed since the tick before. */
export function tick(at: Date): string {
  if (!isMidnight(at)) return clock(at);
  return dayOfYear(at) === "1 Jan" ? year(at) : dayOfYear(at);
}

export const isMidnight = (at: Date) => clock(at) === "00:00";
