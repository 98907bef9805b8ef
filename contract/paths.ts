export const WAITLIST_PATH = "/api/waitlist";
export const STATS_PATH = "/api/waitlist/stats";
/** The page where people request their link. With a member's token appended, it is the member page. */
export const MEMBERSHIP_PATH = "/api/waitlist/membership";
/** A token that can only unsubscribe is appended. */
export const UNSUBSCRIBE_PATH = "/api/waitlist/membership/unsubscribe";
/** Mail providers report bounces and complaints here; the provider's name is appended. */
export const MAIL_EVENTS_PATH = "/api/mail/events";
/** The product reports used invitations here. */
export const ACCEPTED_PATH = "/api/waitlist/invitations/accepted";
export const INVITATION_KEYS_PATH = "/api/waitlist/invitations/keys";
