import { domainToASCII } from "node:url";

/** A domain that needs no encoding, isn't punycode and isn't an IP address, which would end in a number. */
const PLAIN_DOMAIN = /^(?!.*xn--)(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*$/;

/** Once encoded: punctuation (from 🄁 or ⑴), an empty label (from an invisible character), a long one, or an IP address. */
const IMPOSSIBLE_DOMAIN = /[^a-z0-9.-]|^\.|\.\.|\.$|[^.]{64}|\.\d+$/;

/**
 * Addresses with the same key belong to the same person. The key is trimmed, NFC, lower case without final sigma, with
 * the domain in punycode. Plus-tags and dots stay, because only the receiving server knows what they mean. Undefined if
 * the domain can't exist.
 */
export function emailKey(address: string): string | undefined {
  const normal = address.trim().normalize("NFC");
  const at = normal.lastIndexOf("@");
  const local = normal.slice(0, at).toLowerCase().replaceAll("ς", "σ").normalize("NFC");
  const domain = toAscii(normal.slice(at + 1));
  return domain && !IMPOSSIBLE_DOMAIN.test(domain) ? `${local}@${domain}` : undefined;
}

/** Parses only if needed, because parsing takes ten times as long as the check. The parser also lowercases. */
export function toAscii(domain: string): string {
  const lower = domain.toLowerCase();
  return PLAIN_DOMAIN.test(lower) ? lower : domainToASCII(domain);
}
