import { createPrivateKey, type KeyObject } from "node:crypto";
import { isIP } from "node:net";

/** Whether a URL's host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

export function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text;
}

/** "2026-11-30". JavaScript reads February 31 as March 3. */
export function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

/** "10.0.0.1" or "10.0.0.0/8". Nothing looser, because we believe a trusted proxy about a client's address. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const max = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return rest.length === 0 && max > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max));
}

/** A trusted proxy may claim any address, so a network wider than the private ones is a mistake. */
export function isNarrow(text: string): boolean {
  const [address = "", bits] = text.split("/");
  if (bits === undefined) return true;
  // ::ffff:0:0/96 is all of IPv4.
  const min = isIP(address) === 4 ? 8 : address.startsWith("::") ? 104 : 7;
  return Number(bits) >= min;
}

/** "aaaa…" and "changemechangeme…" are long enough, and still easy to guess. */
export function isVaried(text: string): boolean {
  if (text.length < 32) return true;
  const isRepeated = (text + text).indexOf(text, 1) < text.length;
  return !isRepeated && new Set(text).size >= 8;
}

/** With any other type of key nodemailer silently sends unsigned mail. */
export function isRsaKey(pem: string): boolean {
  return parsePrivateKey(pem)?.asymmetricKeyType === "rsa";
}

export function isEd25519Key(pem: string): boolean {
  return parsePrivateKey(pem)?.asymmetricKeyType === "ed25519";
}

function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** The blocks of one or more PEM files. Text without any is one block, so that it is refused and not ignored. */
export function splitPem(text: string): string[] {
  return text.match(/-----BEGIN ([^-]+)-----.+?-----END \1-----/gs) ?? [text];
}

/** An invitation is a credential, so it leaves the machine only encrypted. */
export function isInviteUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

/** Nobody owns a .example domain, so real mail from it is rejected as spam. */
export function hasExampleSender(smtpUrl: string | undefined, from: string): boolean {
  return sendsRealMail(smtpUrl) && /\.example>?\s*$/i.test(from);
}

/** The law wants the sender's postal address in mail to many. */
export function hasExamplePostalAddress(smtpUrl: string | undefined, postalAddress: string): boolean {
  return sendsRealMail(smtpUrl) && /\bexample\b/i.test(postalAddress);
}

/** On loopback a test or developer gets it, and Mailpit, by its name in compose.yaml, only shows it. */
function sendsRealMail(smtpUrl: string | undefined): boolean {
  const { hostname } = new URL(smtpUrl ?? "smtp://localhost");
  return !isLoopback(hostname) && hostname !== "mailpit";
}
