import { domainToASCII } from "node:url";

/** Neither to encode, nor in punycode, nor an IP address, whose last part is a number. */
const PLAIN_DOMAIN = /^(?!.*xn--)(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*$/;

/**
 * Two addresses with the same key are the same person: trimmed, NFC, lower case, the domain in punycode. Plus-tags and
 * dots stay, because only the receiving server knows what they mean. Undefined if the domain can't exist.
 */
export function emailKey(address: string): string | undefined {
  const normal = address.trim().normalize("NFC").toLowerCase();
  const at = normal.lastIndexOf("@");
  const domain = toAscii(normal.slice(at + 1));
  return domain ? `${normal.slice(0, at)}@${domain}` : undefined;
}

/** Nearly every domain is plain, and URL parsing takes ten times as long as the check. */
function toAscii(domain: string): string {
  return PLAIN_DOMAIN.test(domain) ? domain : domainToASCII(domain);
}
