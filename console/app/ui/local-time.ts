/** Times in the reader's zone. The command line and exports use UTC. */
function localFormatter(options: Intl.DateTimeFormatOptions): (at: string) => string {
  const formatter = new Intl.DateTimeFormat("en-US", { ...options, hourCycle: "h23" });
  // A date from a URL may be invalid.
  return (at) => (Number.isNaN(Date.parse(at)) ? at : formatter.format(new Date(at)));
}

const DATE = { day: "numeric", month: "short", year: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit" } as const;

/** "Nov 15, 2026" */
export const localDate = localFormatter(DATE);
/** "08:00" */
export const localTime = localFormatter(TIME);
/** "Nov 15, 2026, 08:00" */
export const localDateTime = localFormatter({ ...DATE, ...TIME });

const withoutYear = (text: string) => text.replace(`, ${new Date().getFullYear()}`, "");

/** "Nov 15", with the year if it isn't the current one. */
export const shortDate = (at: string) => withoutYear(localDate(at));
/** "Nov 15" at midnight, otherwise "Nov 15, 08:00". */
export const shortDateTime = (at: string) => withoutYear(localDateTime(at)).replace(", 00:00", "");

/** "2026-11-15T08:00", for date inputs: Sweden's format, but with a T and with four digits in every year. */
export const toLocal = (at: string) =>
  new Date(at).toLocaleString("sv", { dateStyle: "short", timeStyle: "short" }).replace(" ", "T").padStart(16, "0");

/** The opposite: "2026-11-15T07:00:00.000Z" in Berlin. */
export function fromLocal(text: string): string {
  return Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString();
}
