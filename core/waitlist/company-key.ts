/** Answers to "company" that name none. */
const PLACEHOLDERS = new Set(["", "n a", "na", "none", "no", "nil", "null", "test", "self", "private"]);

const LEGAL_SUFFIXES = new Set(
  "inc incorporated llc llp lp ltd limited corp corporation co company plc gmbh ag kg ug se sa sas sarl srl spa bv nv ab as asa oy aps pty pte kk".split(
    " ",
  ),
);

/** Folding can make a text eighteen times as long (ﷺ), and an index holds no key of 2,700 bytes. No company is called that. */
const MAX_KEY_LENGTH = 400;

/**
 * What makes two company names the same company: case, width, accents' encoding, punctuation and a trailing legal form
 * don't matter. Undefined where no company is named. Applying it twice changes nothing, so a key is its own key.
 */
export function companyKey(name: string): string | undefined {
  const words = fold(name)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .split(" ");
  while (words.length > 1 && LEGAL_SUFFIXES.has(words.at(-1) ?? "")) words.pop();
  const key = words.join(" ");
  return PLACEHOLDERS.has(key) || key.length > MAX_KEY_LENGTH ? undefined : key;
}

/** By way of capitals, so that ß meets SS; and ς is a σ that happens to stand last. */
function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}
