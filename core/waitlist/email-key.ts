import { domainToASCII } from "node:url";

/**
 * Two addresses with the same key are the same person: trimmed, NFC, lower case, the domain in punycode. Plus-tags and
 * dots stay, because only the receiving server knows what they mean. Undefined if the domain can't exist.
 */
export function emailKey(address: string): string | undefined {
  const normal = address.trim().normalize("NFC").toLowerCase();
  const at = normal.lastIndexOf("@");
  const domain = domainToASCII(normal.slice(at + 1));
  return domain ? `${normal.slice(0, at)}@${domain}` : undefined;
}
