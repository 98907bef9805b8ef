/** What a placeholder such as {{firstName}} stands for. */
export type PlaceholderValues = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** The operator has to change the message; the text says what. */
export class InvalidMessage extends Error {}

/** Fills placeholders in, once: a value that looks like a placeholder stays as it is. Encodes text and values. */
export function fillIn(text: string, values: PlaceholderValues, encode = (part: string) => part): string {
  let end = 0;
  let filled = "";
  for (const { 0: found, 1: name = "", index } of text.matchAll(PLACEHOLDER)) {
    filled += encode(text.slice(end, index)) + encode(lookUp(name, values));
    end = index + found.length;
  }
  return filled + encode(text.slice(end));
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
