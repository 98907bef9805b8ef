/** Matches a fragment of source however it is formatted: across any line breaks, with or without a trailing comma. */
export function matcher(fragment: string): RegExp {
  const tokens = fragment.match(/\w+|[^\w\s]/g) ?? [];
  const patterns = tokens.map((token, at) => (at > 0 && /[)\]}]/.test(token) ? ",?\\s*" : "") + RegExp.escape(token));
  return new RegExp(patterns.join("\\s*"), "g");
}

export const occurrences = (text: string, fragment: string): number => text.match(matcher(fragment))?.length ?? 0;
