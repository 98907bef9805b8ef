import { fillIn, InvalidMessage, type PlaceholderValues } from "./placeholders.ts";

/** Placeholders whose value is a URL, and so may be the address of a link. */
const URL_PLACEHOLDER = /^\{\{\s*inviteUrl\s*\}\}$/;
const SCHEMES = new Set(["https:", "mailto:"]);

/** The address of a link in a message, or undefined if it isn't one that we send: then its text is all there is. */
export function safeUrl(href: string, values: PlaceholderValues): string | undefined {
  const address = decodeBraces(href);
  // A person's data in a URL would tell the other side who clicked.
  if (address.includes("{{") && !URL_PLACEHOLDER.test(address)) {
    throw new InvalidMessage(`A link can't contain a placeholder: ${address}`);
  }
  const url = URL.parse(fillIn(address, values));
  return url && SCHEMES.has(url.protocol) ? url.href : undefined;
}

function decodeBraces(href: string): string {
  return href.replace(/%7B/gi, "{").replace(/%7D/gi, "}");
}
