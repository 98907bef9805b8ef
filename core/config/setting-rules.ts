import { createPrivateKey } from "node:crypto";
import ipaddr from "ipaddr.js";

export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** Rejects SSL modes that node-postgres treats as verify-full today, but its next version won't. */
export function hasClearSslMode(databaseUrl: string): boolean {
  return !/[?&]sslmode=(allow|prefer|require|verify-ca)\b/.test(databaseUrl);
}

export function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text;
}

/** "10.0.0.1" or "10.0.0.0/8". Strict, because a trusted proxy decides which client address we see. */
export function isNetwork(text: string): boolean {
  const isIPv4 = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
  return isIPv4 || ipaddr.IPv6.isValid(text) || ipaddr.IPv6.isValidCIDR(text);
}

/** A trusted proxy can spoof any client address, so a range wider than the private networks is a mistake. */
export function isNarrow(text: string): boolean {
  if (!ipaddr.isValidCIDR(text)) return true;
  const [address, bits] = ipaddr.parseCIDR(text);
  // ::ffff:0:0/96 is all of IPv4.
  const min = address instanceof ipaddr.IPv4 ? 8 : address.parts[0] === 0 ? 104 : 7;
  return bits >= min;
}

/** Rejects secrets that are long enough but easy to guess: "aaaa…", "changemechangeme…". */
export function isVaried(text: string): boolean {
  if (text.length < 32) return true;
  const isRepeated = (text + text).indexOf(text, 1) < text.length;
  return !isRepeated && new Set(text).size >= 8;
}

/** With any other type of key nodemailer silently sends unsigned mail. */
export const isRsaKey = (pem: string) => privateKeyType(pem) === "rsa";

export const isEd25519Key = (pem: string) => privateKeyType(pem) === "ed25519";

function privateKeyType(pem: string): string | undefined {
  try {
    return createPrivateKey(pem).asymmetricKeyType;
  } catch {
    return undefined;
  }
}

/** Splits concatenated PEM files. Text without a PEM block is returned whole, so that validation rejects it. */
export function splitPem(text: string): string[] {
  return text.match(/-----BEGIN ([^-]+)-----.+?-----END \1-----/gs) ?? (text ? [text] : []);
}

/** Requires https except on loopback, because requests to these URLs carry credentials. */
export function isSecureUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

/** Microsoft Entra lets tenants and users set any address without verifying it. */
export function isEntra(issuer = ""): boolean {
  const hosts = /(^|\.)(microsoftonline\.(com|us|cn)|windows\.net|ciamlogin\.com|b2clogin\.com)$/;
  return hosts.test(URL.parse(issuer)?.hostname ?? "");
}

/** Nobody owns a .example domain, so real mail from it is rejected as spam. */
export function hasExampleSender(smtpUrl: string | undefined, from: string): boolean {
  return sendsRealMail(smtpUrl) && /\.example>?\s*$/i.test(from);
}

/** Laws such as CAN-SPAM require the sender's postal address in bulk mail. */
export function hasExamplePostalAddress(smtpUrl: string | undefined, postalAddress: string): boolean {
  return sendsRealMail(smtpUrl) && /\bexample\b/i.test(postalAddress);
}

/** A server on loopback belongs to a test or a developer, and Mailpit, the service in compose.yaml, delivers nothing. */
function sendsRealMail(smtpUrl: string | undefined): boolean {
  const { hostname } = new URL(smtpUrl ?? "smtp://localhost");
  return !isLoopback(hostname) && hostname !== "mailpit";
}
