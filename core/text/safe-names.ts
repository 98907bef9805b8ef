/** Whether mail clients or Slack would turn part of the name into a link. They skip invisible characters. */
export function hasUrl(name: string): boolean {
  return /:\/\/|[^\s.]\.[\p{L}\p{M}]{2,}/u.test(name.normalize("NFKC").replace(/\p{DI}/gu, ""));
}

/** Empty if a company's name contains a URL, unless it is only a domain: a company may be called Booking.com. */
export function safeCompany(name: string | null): string {
  return name && (!hasUrl(name) || /^[\p{L}\p{N}-]+\.\p{L}{2,}$/u.test(name)) ? name : "";
}
