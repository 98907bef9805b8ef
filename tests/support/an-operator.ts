import type { Actor } from "#core/activity.ts";

/** Who makes the changes in tests. */
export const OPERATOR: Actor = { name: "ada", via: "command line" };
