/** Numbers and dates as shown in the terminal, the console and the pages. Dates are in UTC. */

const number = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact" });

/** "1,234" */
export const formatNumber = (value: number) => number.format(value);

/** "1.2K" */
export const formatCompact = (value: number) => compact.format(value);

/** "1 person", "1,234 people" */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

/** "46%" */
export function formatRoundedPercent(part: number, total: number): string {
  return total === 0 ? "–" : `${Math.round((100 * part) / total)}%`;
}

/** "0.3%" */
export const formatPercent = (share: number) => `${Number((100 * share).toFixed(1))}%`;

/** "2026-11-15" */
export function formatDate(date: Date | null): string {
  return date ? date.toISOString().slice(0, 10) : "";
}

/** "2026-11-15 08:00" */
export function formatDateTime(date: Date | null): string {
  return date ? date.toISOString().slice(0, 16).replace("T", " ") : "–";
}

function utcFormatter(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const formatter = new Intl.DateTimeFormat("en-US", { ...options, hourCycle: "h23", timeZone: "UTC" });
  return (date) => formatter.format(date);
}

/** "Nov 15, 2026" */
export const formatShortDate = utcFormatter({ day: "numeric", month: "short", year: "numeric" });

/** "Nov 15, 08:00" */
export const formatShortDateTime = utcFormatter({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** "November 15, 2026" */
export const formatLongDate = utcFormatter({ dateStyle: "long" });

/** "08:00" */
export const formatTime = utcFormatter({ hour: "2-digit", minute: "2-digit" });
const formatDayMonth = utcFormatter({ day: "numeric", month: "short" });
const formatYear = utcFormatter({ year: "numeric" });

/** "just now", "5 min ago", "2 h ago", "12 days ago", and after a month `day`. */
export function formatAgo(date: Date, now: Date, day: string): string {
  const minutes = Math.floor((now.getTime() - date.getTime()) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / (24 * 60));
  return days < 30 ? `${pluralize(days, "day")} ago` : day;
}

/** A tick label on a time axis: "08:00", at midnight "Nov 15", at New Year "2027". */
export function formatTick(date: Date): string {
  const time = formatTime(date);
  if (time !== "00:00") return time;
  const dayMonth = formatDayMonth(date);
  return dayMonth === "Jan 1" ? formatYear(date) : dayMonth;
}
