import type { Actor } from "#core/activity/activity.ts";

/** The operator who makes changes in tests. */
export const OPERATOR: Actor = { name: "ada", via: "command line" };
