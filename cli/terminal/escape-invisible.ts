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
