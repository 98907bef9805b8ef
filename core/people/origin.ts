import type { NewSignUp } from "#core/database/tables.ts";

/** Where a sign-up came from: a campaign, a member's link, an import. Runs in browsers too, so it imports only types. */
export type Origin = Pick<NewSignUp, "utm" | "friend_of">;
type Utm = NonNullable<Origin["utm"]>;

const CAMPAIGN = ["source", "medium", "campaign", "term", "content"] as const;
/** In the order in which they are shown. A link can't claim to be an import, because there is no utm_import. */
const PARTS = [...CAMPAIGN, "import"] as const;
const MAX_LENGTH = 100;

export const NO_ORIGIN: Origin = { utm: null, friend_of: null };

/** The mail_network of mail that an operator causes, which no budget limits. */
export const NO_NETWORK = 0;

/** Reads the utm_* parameters of the page's URL, and nothing else of it. */
export function originOfPage(pageUrl: string, friend_of: Origin["friend_of"] = null): Origin {
  const parameters = URL.parse(pageUrl)?.searchParams;
  const found = CAMPAIGN.flatMap((name) => {
    const value = parameters?.get(`utm_${name}`)?.trim();
    return value && isPlain(value) ? [[name, value]] : [];
  });
  return { utm: found.length ? (Object.fromEntries(found) as Utm) : null, friend_of };
}

export const originOfImport = (source: string): Origin => ({
  ...NO_ORIGIN,
  utm: { source, import: "imported" } as unknown as Utm,
});

/** "linkedin · social · launch", "A friend's link", or empty. */
export function describeOrigin(
  utm: Partial<Record<(typeof PARTS)[number], string | null>> | null,
  isFriend = false,
): string {
  return [...(isFriend ? ["A friend's link"] : []), ...PARTS.flatMap((part) => utm?.[part] ?? [])].join(" · ");
}

/** The same rules as for names: bounded length, no control characters, no lone surrogates. */
function isPlain(text: string): boolean {
  return [...text].length <= MAX_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(text);
}
