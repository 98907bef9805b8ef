/** Why someone doesn't get a message, or didn't, in words for operators. */
const REASONS: Record<string, string> = {
  rejected: "address rejected",
  unconfirmed: "address not confirmed",
  unsubscribed: "not subscribed",
  uninvited: "invitation taken back",
  invited: "already invited",
  "over the limit": "after these in line",
  canceled: "message canceled",
  refused: "refused by the mail server",
  expired: "tried for two days",
  invalid: "couldn't be written",
};

export const describeReason = (reason: string | null) => REASONS[reason ?? ""] ?? reason ?? "unknown";
