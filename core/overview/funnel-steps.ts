/** The steps in the order in which people take them. Runs in browsers too, so it imports nothing. */
export const STEPS = ["views", "joined", "confirmed", "invited", "accepted"] as const;

export type Step = (typeof STEPS)[number];

/** Page views and people who joined in a range, and how many of these people confirmed, were invited and accepted. */
export interface Funnel extends Record<Step, number> {
  /** Some views weren't counted, because a cache responded or people joined before views were counted. */
  hasPartialViews: boolean;
}

/** The rate from the previous step, like "7%". Empty if views are partial, or if above 100%, as after an import. */
export function formatRate(funnel: Funnel, step: Step): string {
  const before = STEPS[STEPS.indexOf(step) - 1];
  if (!before || (before === "views" && funnel.hasPartialViews)) return "";
  const rate = funnel[step] / funnel[before];
  return rate <= 1 ? `${Math.round(100 * rate)}%` : "";
}
