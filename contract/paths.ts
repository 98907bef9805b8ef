export const WAITLIST_PATH = "/api/waitlist";
export const STATS_PATH = "/api/waitlist/stats";
/** Followed by the token of one person's own page. */
export const MEMBERSHIP_PATH = "/api/waitlist/membership";
