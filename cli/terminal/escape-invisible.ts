/**
 * Shows control, bidirectional and zero-width characters as escapes that are valid in JSON too. Otherwise a name could
 * move the terminal's cursor, reorder the line or look like another name.
 */
export function escapeInvisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Indented JSON that is safe to print; its line breaks are formatting and stay. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split("\n").map(escapeInvisible).join("\n");
}
