/**
 * Shows control, bidirectional and zero-width characters as escapes, valid in JSON too. In a terminal, a name could
 * otherwise move the cursor, reorder the line or pass for another one.
 */
export function escapeInvisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
