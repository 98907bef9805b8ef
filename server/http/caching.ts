/**
 * For what everybody may share and what may change: the pages and the stats. A cache holds it for a second, serves it for
 * ten more while it asks again, and for a day while we are down. No s-maxage: that would forbid it to serve anything stale.
 */
export const SHARED_BRIEFLY = "public, max-age=1, stale-while-revalidate=10, stale-if-error=86400";

/** For what has a hash of its content in its name. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
