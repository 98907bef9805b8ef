/** The campaign that brought a visitor, by the names it gave itself in the page's address. */
export type Utm = Partial<Record<(typeof NAMES)[number], string>>;

const NAMES = ["source", "medium", "campaign", "term", "content"] as const;
const MAX_LENGTH = 100;

/** What an address says about its campaign, and nothing else of it. */
export function parseUtm(address: string): Utm | null {
  const parameters = URL.parse(address)?.searchParams;
  const named = NAMES.flatMap((name) => {
    const value = parameters?.get(`utm_${name}`)?.trim();
    return value && isPlain(value) ? [[name, value] as const] : [];
  });
  return named.length ? Object.fromEntries(named) : null;
}

/** As names are: no control characters, no halves of characters, and no essays. */
function isPlain(text: string): boolean {
  return [...text].length <= MAX_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(text);
}
