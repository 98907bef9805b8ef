export const WAITLIST_PATH = "/api/waitlist";
export const STATS_PATH = "/api/waitlist/stats";
