import type { ReportNumbers } from "#core/waitlist/report-numbers.ts";

const HOUR_MS = 3_600_000;
const GENERATED_AT = new Date("2026-11-12T15:42:00Z");

/** Start times, newest first; the first interval is still running. */
function lastIntervals(count: number, ms: number): Date[] {
  const latest = Math.floor(GENERATED_AT.getTime() / ms) * ms;
  return Array.from({ length: count }, (_, ago) => new Date(latest - ago * ms));
}

/** 48 invented sign-ups. */
export function sampleNumbers(changes: Partial<ReportNumbers> = {}): ReportNumbers {
  return {
    madeAt: GENERATED_AT,
    signUps: 48,
    lastDay: 6,
    lastWeek: 21,
    companies: 2,
    newsletter: 30,
    invited: 5,
    confirmed: 40,
    rejected: 1,
    unsubscribed: 4,
    erased: 2,
    withoutSource: 20,
    quarantined: 3,
    hours: lastIntervals(72, HOUR_MS)
      .map((from, ago) => ({ from, signUps: ago % 4 === 1 ? 1 : 0 }))
      .reverse(),
    days: lastIntervals(20, 24 * HOUR_MS)
      .map((from, ago) => ({ from, signUps: ago < 16 ? 3 : 0, invited: ago === 2 ? 5 : 0, caught: ago < 3 ? 1 : 0 }))
      .reverse(),
    topCompanies: [
      { name: "Acme, Inc.", signUps: 30 },
      { name: "Umbrella", signUps: 10 },
    ],
    topDomains: [{ name: "example.com", signUps: 48 }],
    topSources: [{ source: "news", medium: null, campaign: "launch", signUps: 28 }],
    ...changes,
  };
}

export function emptyNumbers(): ReportNumbers {
  const { madeAt, hours, days } = sampleNumbers();
  return {
    madeAt,
    signUps: 0,
    lastDay: 0,
    lastWeek: 0,
    companies: 0,
    newsletter: 0,
    invited: 0,
    confirmed: 0,
    rejected: 0,
    unsubscribed: 0,
    erased: 0,
    withoutSource: 0,
    quarantined: 0,
    hours: hours.map(({ from }) => ({ from, signUps: 0 })),
    days: days.map(({ from }) => ({ from, signUps: 0, invited: 0, caught: 0 })),
    topCompanies: [],
    topDomains: [],
    topSources: [],
  };
}
