/**
 * For public responses that change: the pages and the stats. A shared cache keeps them for a second, serves them stale
 * for ten more while it revalidates, and for a day while we are down. No s-maxage: it would forbid serving stale.
 */
export const SHORT_LIVED = "public, max-age=1, stale-while-revalidate=10, stale-if-error=86400";

/** For files with a content hash in their name. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
