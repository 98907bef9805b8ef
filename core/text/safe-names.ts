/** Whether mail clients or Slack would make part of the name a link. They skip invisible characters; 。 is a dot. */
export function hasUrl(name: string): boolean {
  return /:\/\/|[^\s.。][.。][\p{L}\p{M}]{2,}/u.test(name.normalize("NFKC").replace(/\p{DI}/gu, ""));
}

/** Empty if a company's name contains a URL, unless it is one word and an ending, like Booking.com. */
export function safeCompany(name: string | null): string {
  return name && (!hasUrl(name) || /^[\p{L}\p{N}]+\.\p{L}{2,}$/u.test(name)) ? name : "";
}
