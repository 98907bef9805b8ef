/** Undefined for an invite URL that isn't configured. */
export type PlaceholderValues = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/;

/** The operator must fix the message; `detail` says how. */
export const invalid = (detail: string) => ({ refused: "invalid" as const, detail });
export type Invalid = ReturnType<typeof invalid>;

/** Thrown because marked calls us for each piece of text. renderMessage() catches it and returns `Invalid`. */
export class InvalidMessage extends Error {}

export const NEEDS_INVITATIONS = "{{inviteUrl}} needs INVITE_URL and INVITE_KEYS. Set them to the servers' values.";

/** Fills in placeholders in one pass, so a value that looks like a placeholder stays. Encodes text and values. */
export function fillIn(text: string, values: PlaceholderValues, encode = (part: string) => part): string {
  // Every second part is a placeholder's name.
  const parts = text.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? part : lookUp(part, values)));
  return parts.map(encode).join("");
}

function lookUp(name: string, values: PlaceholderValues): string {
  const key = name.trim();
  if (!Object.hasOwn(values, key)) {
    const known = Object.keys(values).filter((one) => values[one] !== undefined);
    throw new InvalidMessage(`Unknown placeholder {{${key}}}. Use ${known.map((one) => `{{${one}}}`).join(", ")}.`);
  }
  const value = values[key];
  if (value === undefined) throw new InvalidMessage(NEEDS_INVITATIONS);
  // On one line, so that a value can't start a new paragraph or header.
  return value.replace(/[\s\p{Cc}]+/gu, " ");
}
