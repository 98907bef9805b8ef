/** In the order in which people take them. Runs in browsers too, so it imports nothing. */
export const STEPS = ["views", "joined", "confirmed", "invited", "accepted"] as const;

export type Step = (typeof STEPS)[number];

/** Page views and the people who joined in a range, and how many of those by now confirmed, were invited and accepted. */
export interface Funnel extends Record<Step, number> {
  /** There were more views: a cache responded to some visitors itself, or people joined before views were counted. */
  hasPartialViews: boolean;
}

/** "7%" of the step before. Empty without all views, or if more people took this step, as after an import. */
export function formatRate(funnel: Funnel, step: Step): string {
  const before = STEPS[STEPS.indexOf(step) - 1];
  if (!before || (before === "views" && funnel.hasPartialViews)) return "";
  const rate = funnel[step] / funnel[before];
  return rate <= 1 ? `${Math.round(100 * rate)}%` : "";
}
