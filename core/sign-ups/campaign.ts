/** The campaign that brought a visitor, from the utm_* parameters of the page's URL. */
export type Utm = Partial<Record<(typeof NAMES)[number], string>>;

const NAMES = ["source", "medium", "campaign", "term", "content"] as const;
const MAX_LENGTH = 100;

/** Reads the utm_* parameters of a URL, and nothing else of it. */
export function parseUtm(pageUrl: string): Utm | null {
  const parameters = URL.parse(pageUrl)?.searchParams;
  const found = NAMES.flatMap((name) => {
    const value = parameters?.get(`utm_${name}`)?.trim();
    return value && isPlain(value) ? [[name, value] as const] : [];
  });
  return found.length ? Object.fromEntries(found) : null;
}

/** The same rules as for names: bounded length, no control characters, no lone surrogates. */
function isPlain(text: string): boolean {
  return [...text].length <= MAX_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(text);
}
