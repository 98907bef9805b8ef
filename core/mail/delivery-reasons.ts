const REASONS: Record<string, string> = {
  "set aside": "person set aside",
  suppressed: "address suppressed",
  unconfirmed: "address not confirmed",
  confirmed: "address confirmed already",
  unsubscribed: "not subscribed",
  uninvited: "invitation taken back",
  accepted: "invitation used already",
  invited: "already invited",
  late: "joined more than 30 days ago",
  limit: "too many emails to the mailbox",
  interrupted: "worker or connection broke while sending it",
  moved: "moved to a newer message",
  refused: "refused by the mail server",
  expired: "tried for two days",
  invalid: "couldn't be composed",
};

export const describeReason = (reason: string | null) => REASONS[reason ?? ""] ?? reason ?? "unknown";
