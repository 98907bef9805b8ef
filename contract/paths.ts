export const WAITLIST_PATH = "/api/waitlist";
export const STATS_PATH = "/api/waitlist/stats";
/** Followed by a member's token. */
export const MEMBERSHIP_PATH = "/api/waitlist/membership";
/** The public keys of invitations, as a JWK Set. */
export const INVITATION_KEYS_PATH = "/api/waitlist/invitations/keys";
