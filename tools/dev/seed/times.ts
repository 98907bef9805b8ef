import type { Random } from "./random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export type Calendar = ReturnType<typeof calendarUntil>;

/** The list opens two quiet weeks before the launch, which was four to five weeks ago. */
export function calendarUntil(now: Date) {
  const daysSinceTuesday = (now.getUTCDay() + 5) % 7;
  const launch = Math.floor(now.getTime() / DAY) * DAY - (28 + daysSinceTuesday) * DAY + 13 * HOUR;
  return {
    opening: new Date(launch - 14 * DAY),
    launch: new Date(launch),
    waves: [8, 15, 22].map((days) => new Date(launch + days * DAY + 3 * HOUR)),
    now,
  };
}

export function isLaunchNews(at: Date, { launch }: Calendar): boolean {
  return at >= launch && at.getTime() < launch.getTime() + 3 * DAY;
}

export function joinTimes(people: number, calendar: Calendar, random: Random): Date[] {
  const opening = calendar.opening.getTime();
  const hours = Math.floor((calendar.now.getTime() - opening) / HOUR);
  let total = 0;
  const sums = Array.from({ length: hours }, (_, hour) => {
    total += trafficAt(new Date(opening + hour * HOUR), calendar);
    return total;
  });
  return Array.from({ length: people }, () => {
    const target = random.next() * total;
    const hour = sums.findIndex((sum) => sum > target);
    return opening + Math.floor((hour + random.next()) * HOUR);
  })
    .sort((a, b) => a - b)
    .map((at) => new Date(at));
}

/** Relative traffic in an hour: a launch peak that halves each day, more in European afternoons, less on weekends. */
function trafficAt(hour: Date, { launch }: Calendar): number {
  const daysSinceLaunch = (hour.getTime() - launch.getTime()) / DAY;
  const interest = daysSinceLaunch < 0 ? 0.3 : 1 + 12 * 2 ** -daysSinceLaunch;
  const daily = 1.2 + Math.cos(((hour.getUTCHours() - 15) / 24) * 2 * Math.PI);
  const weekly = hour.getUTCDay() % 6 === 0 ? 0.5 : 1;
  return interest * daily * weekly;
}
