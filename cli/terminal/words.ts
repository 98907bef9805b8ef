/** "1,234" */
export function count(number: number): string {
  return number.toLocaleString("en");
}

/** "1 person", "1,234 people" */
export function many(number: number, one: string, several = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : several}`;
}

/** "46 %" */
export function share(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`;
}

/** "2026-11-15" */
export function day(time: Date | null): string {
  return time ? time.toISOString().slice(0, 10) : "";
}

/** "2026-11-15 08:00", in UTC, as all times here. */
export function moment(time: Date | null): string {
  return time ? time.toISOString().slice(0, 16).replace("T", " ") : "–";
}
