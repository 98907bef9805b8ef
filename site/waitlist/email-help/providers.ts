/** Without proton.me, live.com and aol.com, because photon.me, love.com and aon.com are real and one letter away. */
const PROVIDERS =
  "gmail.com googlemail.com outlook.com hotmail.com yahoo.com icloud.com protonmail.com fastmail.com".split(" ");

const KEYBOARD = "qwertyuiop asdfghjkl zxcvbnm";

/**
 * Whether one letter is missing, extra, swapped with the next, or replaced by a neighbor on the keyboard. Not the first
 * letter, because ymail.com and mail.com are real. Not just any replacement, because grail.com is real.
 */
function isMisspelled(typed: string, provider: string): boolean {
  let at = 0;
  while (at < provider.length && typed[at] === provider[at]) at += 1;
  const [rest, right] = [typed.slice(at), provider.slice(at)];
  const isNeighbor = Math.abs(KEYBOARD.indexOf(rest.charAt(0)) - KEYBOARD.indexOf(right.charAt(0))) === 1;
  const isOneOff =
    rest === right.slice(1) ||
    rest.slice(1) === right ||
    (rest.slice(1) === right.slice(1) && isNeighbor) ||
    rest === right.charAt(1) + right.charAt(0) + right.slice(2);
  return at > 0 && rest !== right && isOneOff;
}

/** The address that was probably meant. While someone is still typing, "gmail.co" isn't misspelled. */
export function suggestAddress(address: string, isTyping: boolean): string | undefined {
  const [, name, domain = ""] = /^(.+@)([^@]+)$/.exec(address.trim().toLowerCase()) ?? [];
  const provider = PROVIDERS.find((each) => isMisspelled(domain, each) && !(isTyping && each.startsWith(domain)));
  return name && provider && address.trim().slice(0, name.length) + provider;
}

const INBOXES = [
  [/^(gmail|googlemail)\.com$/, "Gmail", "https://mail.google.com/"],
  [/^(outlook|hotmail|live|msn)\.(com?\.)?(com|[a-z]{2})$/, "Outlook", "https://outlook.live.com/mail/"],
  [/^(yahoo|ymail)\.(?!co\.jp)(com?\.)?(com|[a-z]{2})$/, "Yahoo Mail", "https://mail.yahoo.com/"],
  [/^(icloud|me|mac)\.com$/, "iCloud Mail", "https://www.icloud.com/mail/"],
  [/^(proton\.me|protonmail\.com|pm\.me)$/, "Proton Mail", "https://mail.proton.me/"],
] as const;

/** The name and URL of the inbox, if the domain belongs to a known provider. */
export function inboxOf(address: string) {
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  const [, name, url] = INBOXES.find(([domains]) => domains.test(domain)) ?? [];
  return name && { name, url };
}
