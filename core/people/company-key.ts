/** Typical entries of people without a company. */
const PLACEHOLDERS = new Set(["", "n a", "na", "none", "no", "nil", "null", "test", "self", "private"]);

const LEGAL_SUFFIXES = new Set(
  "inc incorporated llc llp lp ltd limited corp corporation co company plc gmbh ag kg ug se sa sas sarl srl spa bv nv ab as asa oy aps pty pte kk".split(
    " ",
  ),
);

/** Longer keys count as no company: folding can make text 18 times as long (ﷺ), and an index can't hold 2,700 bytes. */
const MAX_KEY_LENGTH = 400;

/**
 * Two names with the same key are the same company: case, width, encoding of accents, punctuation and a trailing legal
 * form are ignored. Undefined if the text names no company. Idempotent, so a key is its own key.
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

/** Most names are ASCII, which needs no normalizing. */
const ASCII = /^[ -~]*$/;

/** Folds via upper case, so that ß matches SS, and replaces ς, the form of σ at the end of a word. */
function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}
