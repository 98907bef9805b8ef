/** Whether this visitor is known to be on the waitlist. Lost on reload, because we store nothing in browsers. */
export const visitor: { state: "unknown" | "joined" } = { state: "unknown" };
