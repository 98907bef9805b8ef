/** Whether this visitor is known to be on the waitlist, for as long as the page is open: we store nothing in browsers. */
export const visitor: { state: "unknown" | "joined" } = { state: "unknown" };
