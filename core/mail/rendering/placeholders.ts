export type PlaceholderValues = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/;

/** The operator must fix the message; the error's text says how. */
export class InvalidMessage extends Error {}

/** Fills in placeholders in one pass, so a value that looks like a placeholder stays. Encodes text and values. */
export function fillIn(text: string, values: PlaceholderValues, encode = (part: string) => part): string {
  // Every second part is a placeholder's name.
  const parts = text.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? part : lookUp(part, values)));
  return parts.map(encode).join("");
}

function lookUp(name: string, values: PlaceholderValues): string {
  const key = name.trim();
  if (!Object.hasOwn(values, key)) {
    const known = Object.keys(values).map((one) => `{{${one}}}`);
    throw new InvalidMessage(`Unknown placeholder {{${key}}}. Use ${known.join(", ")}.`);
  }
  // On one line, so that a value can't start a new paragraph or header.
  return (values[key] ?? "").replace(/[\s\p{Cc}]+/gu, " ");
}
